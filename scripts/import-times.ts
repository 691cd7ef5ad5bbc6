import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Budget } from './bundle-budgets.ts';
import { BuildError, bundle } from './bundle.ts';

const run = promisify(execFile);

/** What importing a bundle takes, in the middle of all rounds. */
export interface ImportTime {
  milliseconds: number;
  /** As a multiple of the SDK's three clients' time in the same round. */
  ratio: number;
}

type Budgets = Readonly<Record<string, Pick<Budget, 'importRatio'>>>;

/** After so many rounds the budgets are looked at; whoever is over its own goes on to the next. */
const LOOKS = [11, 21, 41];

/** Milliseconds to import the file in a process of its own, without Node's start, an environment and a compile cache. */
async function importTime(file: string): Promise<number> {
  const program = `
    const began = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    process.stdout.write(String(performance.now() - began));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    timeout: 60_000,
  });
  return Number(stdout);
}

interface Measured {
  name: string;
  file: string;
  /** Milliseconds, one a round. */
  times: number[];
  ratios: number[];
}

/** The middle one of the values, the lower of two. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;
}

function timeOf({ times, ratios }: Measured): ImportTime {
  return { milliseconds: median(times), ratio: median(ratios) };
}

/**
 * Measures what importing each bundle takes, by that of the SDK's three clients, which are bundled alike: turn by turn,
 * each in a process of its own, so that whatever else the machine does falls on all. Those that are over their budget
 * are measured for longer before that is believed.
 *
 * @returns by the bundle's name
 */
export async function importTimes(
  bundles: readonly { name: string; file: string }[],
  budgets: Budgets,
): Promise<Map<string, ImportTime>> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-sdk-clients-'));
  try {
    await bundle(join(import.meta.dirname, '..'), 'scripts/sdk-clients.ts', folder);
    const measured = bundles.map((one): Measured => ({ ...one, times: [], ratios: [] }));
    let open = measured;
    for (let round = 1; open.length > 0 && round <= Math.max(...LOOKS); round += 1) {
      const clients = await importTime(join(folder, 'index.mjs'));
      for (const { file, times, ratios } of open) {
        const time = await importTime(file);
        times.push(time);
        ratios.push(time / clients);
      }
      if (LOOKS.includes(round)) open = open.filter((one) => !isWithin(timeOf(one), budgets[one.name]));
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
