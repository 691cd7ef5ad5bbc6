import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as z from 'zod';
import { TrinoUnavailableError } from './unavailable-error.ts';

const LONGEST = 15 * 60_000;
const execute = promisify(execFile);

/**
 * What a program prints to standard output.
 *
 * @throws {TrinoUnavailableError} when it is missing or fails
 */
export async function run(command: string, args: readonly string[]): Promise<string> {
  try {
    return (await execute(command, args, { timeout: LONGEST, maxBuffer: 2 ** 26 })).stdout;
  } catch (error) {
    throw new TrinoUnavailableError(
      `${[command, ...args.slice(0, 2)].join(' ')} failed: ${lastWords(error)}`,
    );
  }
}

const endedSchema = z.object({ stdout: z.string(), stderr: z.string() });

/** Maven writes its errors to standard output, and the first one says most. */
function lastWords(error: unknown): string {
  const { stdout, stderr } = endedSchema.safeParse(error).data ?? { stdout: '', stderr: '' };
  const said =
    stdout.split('\n').find((line) => line.includes('ERROR')) ?? stderr.trim().split('\n').at(-1) ?? '';
  const message = error instanceof Error ? error.message : String(error);
  return (said === '' ? message : said).split('\n')[0]?.trim() ?? '';
}

/** Whether the program exists and ends well with these arguments. */
export async function runs(command: string, args: readonly string[]): Promise<boolean> {
  return execute(command, args, { timeout: LONGEST }).then(
    () => true,
    () => false,
  );
}
