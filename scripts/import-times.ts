import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { median } from 'simple-statistics';
import * as z from 'zod';
import type { Budget } from './bundle-budgets.ts';
import { BuildError, bundle } from './bundle.ts';

const run = promisify(execFile);

/** What importing a bundle takes, in the middle of all rounds. */
export interface ImportTime {
  /** By the clock. */
  milliseconds: number;
  /**
   * The processor's work as a multiple of that for the SDK's three clients in the same round. Not the clock's: on a busy
   * machine that tells how others were served (docs/performance.md, "Cold start").
   */
  ratio: number;
}

type Budgets = Readonly<Record<string, Pick<Budget, 'importRatio'>>>;

const LOOKS = [11, 21, 41];

const answerSchema = z.object({ waited: z.number(), worked: z.number() });

/**
 * What it takes to import the file in a process of its own, without Node's start, an environment and a compile cache.
 *
 * @returns milliseconds by the clock, and of the processor's work
 */
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
  /** Milliseconds by the clock, one a round. */
  times: number[];
  ratios: number[];
}

function timeOf({ times, ratios }: Measured): ImportTime {
  return { milliseconds: median(times), ratio: median(ratios) };
}

/**
 * Measures what importing each bundle takes, by that of the SDK's three clients, which are bundled alike: turn by turn,
 * each in a process of its own, so that whatever else the machine does falls on all. Those that are over their budget
 * are measured for longer before that is believed.
 *
 * @param looks after so many rounds the budgets are looked at; whoever is over its own goes on to the next
 * @returns by the bundle's name
 */
export async function importTimes(
  bundles: readonly { name: string; file: string }[],
  budgets: Budgets,
  looks: readonly number[] = LOOKS,
): Promise<Map<string, ImportTime>> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-sdk-clients-'));
  try {
    await bundle(join(import.meta.dirname, '..'), 'scripts/sdk-clients.ts', folder);
    const measured = bundles.map((one): Measured => ({ ...one, times: [], ratios: [] }));
    let open = measured;
    for (let round = 1; open.length > 0 && round <= Math.max(...looks); round += 1) {
      const clients = await importTime(join(folder, 'index.mjs'));
      for (const { file, times, ratios } of open) {
        const { waited, worked } = await importTime(file);
        times.push(waited);
        ratios.push(worked / clients.worked);
      }
      if (looks.includes(round)) open = open.filter((one) => !isWithin(timeOf(one), budgets[one.name]));
    }
    return new Map(measured.map((one) => [one.name, timeOf(one)]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isWithin({ ratio }: ImportTime, budget: Budgets[string] | undefined): boolean {
  return budget === undefined || ratio < budget.importRatio;
}

/** @throws {BuildError} naming the first bundle whose import takes longer than its budget */
export function assertWithinTime(times: ReadonlyMap<string, ImportTime>, budgets: Budgets): void {
  for (const [name, time] of times) {
    const budget = budgets[name];
    if (budget === undefined || isWithin(time, budget)) continue;
    throw new BuildError(
      `importing ${name} takes ${time.ratio.toFixed(2)} times as long as the SDK's three clients, and must take under ${budget.importRatio} (scripts/bundle-budgets.ts)`,
    );
  }
}
