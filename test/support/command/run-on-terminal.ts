import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { clockVariables } from '#sandbox/clock-variables.ts';
import { python } from '../readers/python.ts';

const COMMAND = join(import.meta.dirname, '../../../bin/daybook.mjs');
const PROGRAM = readFileSync(join(import.meta.dirname, 'terminal.py'), 'utf8');
const LONGEST = 90_000;

const endedSchema = z.object({ code: z.int(), written: z.string() });

/**
 * Runs `daybook` on a terminal, and types an answer when each question appears. Skips the test where Python is missing.
 *
 * @param answers a part of the question, and what is typed; `\r` is the key Enter
 * @returns all that was on the terminal, and the exit status
 */
export async function runOnTerminal(
  args: readonly string[],
  answers: readonly (readonly [question: string, answer: string])[],
  cwd: string,
): Promise<{ code: number; written: string }> {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', COMMAND, ...args];
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const environment = { PATH, HOME: '/nonexistent', TERM: 'xterm', NODE_COMPILE_CACHE, ...clockVariables() };
  const task = JSON.stringify({ command, cwd, environment, answers });
  return endedSchema.parse(await python(PROGRAM, Buffer.from(task), LONGEST));
}
