import { availableParallelism, cpus } from 'node:os';
import { UsageError } from '#bin/daybook/terminal/command-errors.ts';

/** Runs a bench. What it throws becomes a line with its name, and the exit status: 2 for a wrong option, else 1. */
export async function runBench(name: string, main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

export function measuredHere(): string {
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
  return `Measured ${new Date().toISOString().slice(0, 10)} on ${machine}.`;
}
