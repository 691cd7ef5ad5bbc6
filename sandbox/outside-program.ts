import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';

/** Milliseconds. */
const LONGEST = 15 * 60_000;
const execute = promisify(execFile);

/** A program that others wrote cannot be installed or started on this machine. The message says what was tried. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}

const endedSchema = z.object({ stdout: z.string(), stderr: z.string() });

/** The first line that names an error, or else the last lines. Maven and Debian's Python write them to the standard output. */
function lastWords(error: unknown): string {
  const { stdout, stderr } = endedSchema.safeParse(error).data ?? { stdout: '', stderr: '' };
  const lines = `${stdout}\n${stderr}`.split('\n').flatMap((line) => line.trim() || []);
  const message = error instanceof Error ? error.message : String(error);
  return lines.find((line) => /\berror\b/i.test(line)) ?? (lines.slice(-4).join('; ') || message);
}

/** What it prints to the standard output. @throws {UnavailableError} when it is missing or fails */
export async function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  try {
    return (await execute(command, args, { cwd, timeout: LONGEST, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    throw new UnavailableError(`${[command, ...args.slice(0, 3)].join(' ')} failed: ${lastWords(error)}`);
  }
}

/** Whether the program exists and ends well with these arguments. */
export async function runs(command: string, args: readonly string[]): Promise<boolean> {
  return execute(command, args, { timeout: LONGEST }).then(
    () => true,
    () => false,
  );
}
