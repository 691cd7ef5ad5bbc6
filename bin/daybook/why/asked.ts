import { isDay } from '#domain/day/business-day.ts';
import { periodKind } from '#domain/period/period.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';
import type { AskedOwner } from './statements/why-statement.ts';

/** What `daybook why` is asked for: the report of a day, or a statement or page of a period. */
export type AskedWhy =
  | { is: 'report'; merchantCode: string; day: string }
  | { is: 'statement'; owner: AskedOwner; period: string };

const DAYS: ReadonlySet<string> = new Set(['yesterday', 'today']);

/** Whether the text names a week or a month. */
function isLongPeriod(text: string): boolean {
  const kind = periodKind(text);
  return text === 'last-week' || text === 'last-month' || kind === 'week' || kind === 'month';
}

/**
 * Reads the arguments.
 *
 * @param words a merchant's code and a day or period; with a group, a period alone
 * @throws {UsageError} when one is missing, or too many are given
 */
export function askedWhy(
  words: readonly string[],
  { group, to }: { group?: string | undefined; to?: string | undefined },
): AskedWhy {
  const [first, second] = words;
  if (group !== undefined) {
    if (first === undefined) throw new UsageError('give a period, such as 2026-11, last-week or yesterday');
    if (second !== undefined) throw new UsageError('give either a merchant or --group, not both');
    if (to !== undefined) throw new UsageError('--to explains the mail of a day: a group has none');
    return { is: 'statement', owner: { group }, period: first };
  }
  if (first === undefined) throw new UsageError("give a merchant's code, or a group with --group");
  if (second === undefined)
    throw new UsageError('give a day, or a period such as 2026-11, 2026-W47 or last-month');
  if (!isLongPeriod(second) && !DAYS.has(second) && !isDay(second)) {
    throw new UsageError(
      `give a date (2026-11-20), "yesterday" or "today", or a period: 2026-11, 2026-W47, "last-month" or "last-week". Given: "${shown(second, 40)}"`,
    );
  }
  if (!isLongPeriod(second)) return { is: 'report', merchantCode: first, day: second };
  if (to !== undefined) throw new UsageError('--to explains the mail of a day, not of a week or month');
  return { is: 'statement', owner: { merchantCode: first }, period: second };
}
