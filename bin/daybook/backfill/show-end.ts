import type { CommandContext } from '../context.ts';
import { shown } from '../terminal/shown-text.ts';
import type { FailedDay } from './failed-days.ts';

/** The result of `daybook backfill`. */
export interface BackfillResult {
  stage: string;
  executionArn: string;
  /** Of Step Functions: `SUCCEEDED`, `FAILED`, `TIMED_OUT` or `ABORTED`. */
  status: string;
  /** How many merchants it had to report. `null` when it did not come so far. */
  merchants: number | null;
  /** How many of them have no failure left. */
  succeeded: number | null;
  failed: readonly FailedDay[];
  /** Of an execution that failed. */
  error: string | null;
  cause: string | null;
}

/** The most days that are listed. */
const MOST_LISTED = 200;

function endInWords({ merchants, succeeded, status, error, cause, failed }: BackfillResult): string {
  const why = [error, cause].filter((text) => text !== null).join(': ');
  if (status === 'ABORTED') return `The backfill was stopped${why === '' ? '' : `: ${why}`}`;
  if (merchants === null || (failed.length === 0 && status !== 'SUCCEEDED'))
    return status === 'SUCCEEDED' ? 'There was nothing to do.' : `The backfill ended as ${status}: ${why}`;
  const done = `${succeeded ?? 0} of ${merchants} merchants are done`;
  if (failed.length === 0) return `${done}: every day is sealed.`;
  const ofMerchants = new Set(failed.map(({ merchantCode }) => merchantCode)).size;
  return `${done}, ${ofMerchants} failed:`;
}

/** Prints how a backfill ended, and what failed. */
export function showEnd(
  { output, lines }: Pick<CommandContext, 'lines' | 'output'>,
  result: BackfillResult,
): void {
  const { failed } = result;
  output.line(shown(endInWords(result), 1_000));
  output.table(
    ['Merchant', 'Day', 'Error'],
    failed.slice(0, MOST_LISTED).map(({ merchantCode, day, error }) => [merchantCode, day, error]),
  );
  if (failed.length > MOST_LISTED)
    output.line(`and ${failed.length - MOST_LISTED} more days; --json lists all of them`);
  const [first] = failed;
  if (first !== undefined)
    output.note(
      `"${lines.daybook('why', first.merchantCode, first.day)}" says more. The same backfill again does only what is left.`,
    );
}
