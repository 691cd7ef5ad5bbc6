import { addDays, dayAt } from '#records/day/business-day.ts';
import type { StatementTimes } from '#records/period/due.ts';
import { periodDays, periodKind } from '#records/period/period.ts';
import type { Period, PeriodKind } from '#records/period/period.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Days, when the registry says nothing else, or cannot be used. */
const USUAL = 45;
const DUE_WITHIN: Readonly<Record<PeriodKind, number>> = { day: 2, week: 8, month: 29 };
/** Days. Zones differ by up to a day, and ledgers are looked at for two more days. */
const SPREAD = 3;

/** Milliseconds. */
export type OpenTimes = Pick<StatementTimes, 'waitFor' | 'correctFor'>;

/** In days, and never less than the product's. */
function longestOpen(open: Iterable<OpenTimes>): number {
  let longest = USUAL * DAY;
  for (const { waitFor, correctFor } of open) longest = Math.max(longest, waitFor, correctFor);
  return Math.ceil(longest / DAY);
}

/**
 * Periods whose statements are still issued or corrected; a person asks for older mails, and sees a failure.
 * @param times none without a usable registry
 * @param now milliseconds UTC
 */
export function periodsMailed(present: readonly Period[], times: Iterable<OpenTimes>, now: number): Period[] {
  const open = longestOpen(times);
  const today = dayAt(now, 'UTC');
  return present.filter((period) => {
    const kind = periodKind(period);
    if (kind === undefined) return false;
    // Of all weeks with this name, those that begin on a Thursday end last.
    const { to } = periodDays(period, 'thursday');
    return to >= addDays(today, -(open + DUE_WITHIN[kind] + SPREAD));
  });
}
