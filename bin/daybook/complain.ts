import { DaybookError } from '#domain/errors/daybook-error.ts';
import { INTERRUPTED } from './interruptions.ts';
import { awsComplaint } from './stage/aws-complaint.ts';
import { CommandError, InterruptedError, UsageError } from './terminal/command-errors.ts';
import { shown } from './terminal/shown-text.ts';

/** The most UTF-16 units of a message. Some services quote a whole document. */
const LONGEST = 1_000;

/** Prints an error as one line on stderr. @returns the exit status */
export function complain(error: unknown): number {
  const write = (text: string) => process.stderr.write(`${shown(text, LONGEST)}\n`);
  if (error instanceof UsageError) {
    write(error.message);
    return 2;
  }
  if (error instanceof InterruptedError) {
    write(error.message);
    return INTERRUPTED;
  }
  if (error instanceof CommandError) {
    write(error.message);
    return 1;
  }
  if (error instanceof DaybookError) {
    write(`${error.name}: ${error.message}`);
    return 1;
  }
  const aws = awsComplaint(error);
  if (aws !== undefined) {
    write(aws);
    return 1;
  }
  // A fault of this program. Its stack says where, and the person can report it.
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
