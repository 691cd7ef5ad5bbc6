import { join, resolve } from 'node:path';
import * as z from 'zod';
import { LOCAL_DIRECTORY, pastedLine } from '#mail/notices/ops-command.ts';
import { isRunning } from '#runtime/running-process.ts';
import { fileText, jsonOrNothing } from '../files.ts';
import { CommandError } from '../terminal/command-errors.ts';

/** The file in the directory of a local run that says how to reach it. It is there while the run serves. */
export const SERVING_FILE = 'serving.json';

const LARGEST_SERVING = 1_000_000;

/** How to reach a local run that serves. */
export const servingSchema = z.object({
  stage: z.string(),
  environment: z.record(z.string(), z.string()),
  /** The process that serves, as `nameOfProcess` names it. */
  process: z.string(),
  /** Milliseconds by which its clock is ahead of the machine's. */
  clockAhead: z.number().default(0),
});
export type Serving = z.infer<typeof servingSchema>;

/**
 * The local run that serves in a directory.
 *
 * @throws {CommandError} when none does
 */
export function servingRun(directory = LOCAL_DIRECTORY): Serving {
  const file = join(resolve(directory), SERVING_FILE);
  const start = pastedLine('cdk', [], { local: true, directory });
  const text = fileText(file, LARGEST_SERVING);
  if (text === undefined) {
    throw new CommandError(
      `no local run serves in ${directory}: start one with "${start}" and leave it open`,
    );
  }
  const serving = servingSchema.safeParse(jsonOrNothing(text));
  if (!serving.success || !isRunning(serving.data.process)) {
    throw new CommandError(`the local run in ${directory} has ended: start it again with "${start}"`);
  }
  return serving.data;
}
