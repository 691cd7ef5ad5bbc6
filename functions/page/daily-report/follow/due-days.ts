import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { KnownDay } from './changed-days.ts';

/** Days after a day on which it is read again while something of it is open, where counts do not tell of changes. */
const DISTANCES = [1, 3, 7, 14, 30, 60, 90];
/** Days after which a day is looked at in any case: changes may cancel out in all counts. */
const ROUND = 14;

/** The reports' days since the last one: after an outage, what its mornings would have read is due, too. */
export interface Morning {
  /** The day of the last report, `undefined` for the first. */
  since: Day | undefined;
  day: Day;
}

/** Whether something of the day can still change: unpaid with a link that had not ended, or nobody knows. */
export function isOpen({ followed: { outcomes } }: KnownDay, since: Day): boolean {
  if (outcomes === null) return true;
  return outcomes.open.some(({ lastDay }) => lastDay === null || lastDay > since);
}

/** Days from one to another. */
function between(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** The days with whether one is a number of days old now and was not when the last report was made. */
function withAges(days: readonly KnownDay[], { since, day }: Morning) {
  const last = since ?? addDays(day, -1);
  return days.map((known) => {
    const [before, now] = [between(known.day, last), between(known.day, day)];
    const reaches = (distance: number) => before < distance && distance <= now;
    return { known, last, reaches, isOfRound: reaches(ROUND * Math.floor(now / ROUND)) };
  });
}

/** The days that are read again in any case: those whose turn it is in the round. */
export function daysOfRound(days: readonly KnownDay[], morning: Morning): Day[] {
  // A link that was open in the round before may have been paid before it ended.
  const openSince = addDays(morning.day, -ROUND - 1);
  return withAges(days, morning)
    .filter(({ known, isOfRound }) => isOfRound && isOpen(known, openSince))
    .map(({ known }) => known.day);
}

/** Whose counts are asked for alone, where those of a range are not of all its days: open ones, and others in the round. */
export function daysAskedAlone(days: readonly KnownDay[], morning: Morning): KnownDay[] {
  return withAges(days, morning)
    .filter(({ known, last, isOfRound }) => isOfRound || isOpen(known, last))
    .map(({ known }) => known);
}

/** The days that are read again where the service's counts do not tell of changes. */
export function daysAtDistance(days: readonly KnownDay[], morning: Morning): Day[] {
  return withAges(days, morning)
    .filter(({ known, last, reaches }) => {
      if (!isOpen(known, last)) return false;
      // What was paid on the last day of a link.
      const hasEnded = known.followed.outcomes?.open.some(
        ({ lastDay }) => lastDay !== null && lastDay > last && lastDay <= morning.day,
      );
      return hasEnded === true || DISTANCES.some(reaches);
    })
    .map(({ known }) => known.day);
}
