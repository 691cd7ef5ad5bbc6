import { addDays, dayAt } from '#domain/day/business-day.ts';
import type { StatementTimes } from '#domain/period/due.ts';
import { periodDays, periodKind } from '#domain/period/period.ts';
import type { Period, PeriodKind } from '#domain/period/period.ts';

const DAY = 24 * 60 * 60 * 1_000;
/** Days. How long statements are corrected if the registry says nothing else, or cannot be used. */
const USUAL = 45;
/** Days from the end of a period until its statement is due, at the latest: the weekday of a week, the 28th for a month. */
const DUE_WITHIN: Readonly<Record<PeriodKind, number>> = { day: 2, week: 8, month: 29 };
/** Days. Zones differ by up to a day, and ledgers are looked at for two more days. */
const SPREAD = 3;

/** How long the mails of a merchant or group may still go out after they were due. Milliseconds. */
export type OpenTimes = Pick<StatementTimes, 'waitFor' | 'correctFor'>;

/** The longest of these times in days, and never less than the product's. */
function longestOpen(open: Iterable<OpenTimes>): number {
  let longest = USUAL * DAY;
  for (const { waitFor, correctFor } of open) longest = Math.max(longest, waitFor, correctFor);
  return Math.ceil(longest / DAY);
}

/**
 * The periods whose mails may have gone out recently: those for which statements are still issued or corrected. The mail
 * of an older period was asked for by a person, and the invocation has failed visibly.
 *
 * @param present the periods that have ledgers
 * @param times of all merchants and groups; none when there is no usable registry
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
