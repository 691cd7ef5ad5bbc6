import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { python } from '../readers/python.ts';
import { COMMAND_LINE, variables } from './run-command.ts';

const PROGRAM = readFileSync(join(import.meta.dirname, 'terminal.py'), 'utf8');
const LONGEST = 90_000;

export const CTRL_C = '\u0003';

const endedSchema = z.object({
  /** The exit status; that of a signal is negative. */
  code: z.int(),
  written: z.string(),
  /** The same with its control sequences. */
  raw: z.string(),
});

/** Keys are pressed when their text appears; `\r` is the key Enter. The test is skipped where Python is missing. */
export async function runOnTerminal(
  args: readonly string[],
  answers: readonly (readonly [shown: string, keys: string])[] = [],
  cwd = process.cwd(),
): Promise<z.infer<typeof endedSchema>> {
  const command = [...COMMAND_LINE, ...args];
  const task = JSON.stringify({ command, cwd, environment: variables({ TERM: 'xterm' }), answers });
  return endedSchema.parse(await python(PROGRAM, Buffer.from(task), LONGEST));
}
