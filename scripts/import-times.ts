import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { median } from 'simple-statistics';
import * as z from 'zod';
import { BuildError, bundle } from './bundle.ts';

const run = promisify(execFile);

export interface ImportTime {
  /** Wall-clock time, milliseconds, the median of all rounds. */
  milliseconds: number;
  /**
   * Processor time as a multiple of the time for the SDK's three clients: the median of the rounds' ratios, or the ratio of
   * the two shortest times if that is smaller. Other work on the machine seldom disturbs both of these. It is not
   * wall-clock time, which depends on other processes even more (docs/performance.md, "Cold start").
   */
  ratio: number;
}

/**
 * What the import of any function may take, as a multiple of the time for the SDK's three clients. It finds work that a module does
 * when it is imported, such as to compile all templates; what is merely large has a budget of bytes. The functions are
 * between 1.3 and 1.8, and the same function differs by a tenth from run to run.
 */
const LONGEST_IMPORT = 2;

const LOOKS = [11, 21, 41];

const answerSchema = z.object({ waited: z.number(), worked: z.number() });

/** Without Node's start, an environment and a compile cache. Wall-clock and processor time, milliseconds. */
async function importTime(file: string): Promise<z.infer<typeof answerSchema>> {
  const program = `
    const [began, before] = [performance.now(), process.cpuUsage()];
    await import(${JSON.stringify(pathToFileURL(file).href)});
    const { user, system } = process.cpuUsage(before);
    const took = { waited: performance.now() - began, worked: (user + system) / 1_000 };
    process.stdout.write(JSON.stringify(took));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    timeout: 300_000,
  });
  return answerSchema.parse(JSON.parse(stdout));
}

interface Measured {
  name: string;
  file: string;
  /** Wall-clock milliseconds, one value for each round. */
  times: number[];
  /** Processor time as a multiple of the clients' in the same round, one value for each round. */
  ratios: number[];
  /** The shortest processor times of all rounds, milliseconds: of the bundle, and of the clients in the same rounds. */
  least: number;
  leastOfClients: number;
}

function timeOf({ times, ratios, least, leastOfClients }: Measured): ImportTime {
  return { milliseconds: median(times), ratio: Math.min(median(ratios), least / leastOfClients) };
}

/**
 * Measures the import of each bundle in comparison with the SDK's three clients, which are bundled in the same way. They take
 * turns, each in a process of its own, so that other load on the machine affects all of them. A bundle that takes too long
 * is measured longer before it counts as too slow.
 *
 * @param looks the numbers of rounds after which the ratios are checked; a bundle that takes too long continues to the next
 * @returns the times by the bundle's name
 */
export async function importTimes(
  bundles: readonly { name: string; file: string }[],
  looks: readonly number[] = LOOKS,
): Promise<Map<string, ImportTime>> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-sdk-clients-'));
  try {
    await bundle(join(import.meta.dirname, '..'), 'scripts/sdk-clients.ts', folder);
    const measured = bundles.map((one): Measured => ({
      ...one,
      times: [],
      ratios: [],
      least: Infinity,
      leastOfClients: Infinity,
    }));
    let open = measured;
    for (let round = 1; open.length > 0 && round <= Math.max(...looks); round += 1) {
      const clients = await importTime(join(folder, 'index.mjs'));
      for (const one of open) {
        const { waited, worked } = await importTime(one.file);
        one.times.push(waited);
        one.ratios.push(worked / clients.worked);
        one.least = Math.min(one.least, worked);
        one.leastOfClients = Math.min(one.leastOfClients, clients.worked);
      }
      if (looks.includes(round)) open = open.filter((one) => timeOf(one).ratio >= LONGEST_IMPORT);
    }
    return new Map(measured.map((one) => [one.name, timeOf(one)]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws {BuildError} with the first bundle whose import takes too long */
export function assertWithinTime(times: ReadonlyMap<string, ImportTime>): void {
  for (const [name, { ratio }] of times) {
    if (ratio < LONGEST_IMPORT) continue;
    throw new BuildError(
      `importing ${name} takes ${ratio.toFixed(2)} times as long as the SDK's three clients, and must take under ${LONGEST_IMPORT} (scripts/import-times.ts)`,
    );
  }
}
