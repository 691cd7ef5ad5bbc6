import { availableParallelism, cpus } from 'node:os';
import { UsageError } from '#bin/local/terminal/terminal.ts';

/** A whole number of an option. @returns `undefined` when it is not given @throws {UsageError} for anything else */
export function wholeOption(
  name: string,
  given: string | undefined,
  least: number,
  most: number,
): number | undefined {
  if (given === undefined) return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(
    `--${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(given)}`,
  );
}

/** The seed of a bench's data. @throws {UsageError} when it is no word */
export function seedOption(given: string | undefined): string {
  const seed = given ?? 'daybook';
  if (/^[\w-]{1,40}$/.test(seed)) return seed;
  throw new UsageError('--seed must be a word of letters, digits, "_" and "-"');
}

/** Runs a bench. What it throws becomes a line with its name, and the exit status: 2 for a wrong option, else 1. */
export async function runBench(name: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

/** When and where the figures were measured, as a sentence. */
export function measuredHere(): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  return `Measured ${new Date().toISOString().slice(0, 10)} on ${machine}.`;
}
