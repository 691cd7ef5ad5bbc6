import { DaybookError } from '#records/errors/daybook-error.ts';
import type { Stream } from './terminal/output.ts';
import { awsComplaint, isForbidden } from './stage/aws-complaint.ts';
import { CommandError, INTERRUPTED, InterruptedError, UsageError } from './terminal/command-errors.ts';
import { shown } from './terminal/shown-text.ts';

/** The most UTF-16 units of a message. Some services quote a whole document. */
const LONGEST = 1_000;

const OWN_PLACE = /\/((?:bin|functions|lib)\/[\w./-]+:\d+):\d+\)?$/m;

function faultOfDaybook(error: unknown): string {
  if (!(error instanceof Error)) return 'daybook failed, and does not know why: please report it';
  const { name, message, stack = '' } = error;
  // The messages of a parser quote the text, which may have credentials.
  const what = error instanceof SyntaxError ? name : `${name}: ${message}`;
  const place = OWN_PLACE.exec(stack)?.[1];
  return `this is a fault of daybook itself, please report it${place === undefined ? '' : ` (${place})`}: ${what}`;
}

/** Prints an error as one line. @returns the exit status */
export function complain(error: unknown, stderr: Stream): number {
  const write = (text: string) => stderr.write(`${shown(text, LONGEST)}\n`);
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
    const help = isForbidden(error.cause) ? '. docs/rights.md says which policy the command needs' : '';
    write(`${error.name}: ${error.message}${help}`);
    return 1;
  }
  const aws = awsComplaint(error);
  if (aws !== undefined) {
    write(aws);
    return 1;
  }
  write(faultOfDaybook(error));
  return 1;
}
