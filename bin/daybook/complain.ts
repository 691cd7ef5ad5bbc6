import { DaybookError } from '#records/errors/daybook-error.ts';
import type { Stream } from './terminal/output.ts';
import { awsComplaint, credentialsComplaint, isForbidden } from './stage/aws-complaint.ts';
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

function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof CommandError || error instanceof InterruptedError)
    return error.message;
  if (error instanceof DaybookError) {
    const help = isForbidden(error.cause) ? '. docs/rights.md says which policy the command needs' : '';
    return credentialsComplaint(error) ?? `${error.name}: ${error.message}${help}`;
  }
  return awsComplaint(error) ?? faultOfDaybook(error);
}

/** Prints an error as one line. @returns the exit status */
export function complain(error: unknown, stderr: Stream): number {
  stderr.write(`${shown(messageOf(error), LONGEST)}\n`);
  if (error instanceof UsageError) return 2;
  return error instanceof InterruptedError ? INTERRUPTED : 1;
}
