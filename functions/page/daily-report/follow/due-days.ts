import { addDays, type Day } from '#records/day/business-day.ts';
import type { FollowedDay } from '#records/figures/history.ts';

export type KnownDay = FollowedDay & { followed: NonNullable<FollowedDay['followed']> };

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

function between(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** How many invoices of the day are unpaid with a link that had not ended; `undefined`: nobody knows. */
export function openLinks({ followed }: KnownDay, { since, day }: Morning): number | undefined {
  const last = since ?? addDays(day, -1);
  return followed.outcomes?.open
    .filter(({ lastDay }) => lastDay === null || lastDay > last)
    .reduce((sum, { count }) => sum + count, 0);
}

/** The days with whether one is a number of days old now and was not when the last report was made. */
function withAges(days: readonly KnownDay[], morning: Morning) {
  const last = morning.since ?? addDays(morning.day, -1);
  return days.map((known) => {
    const [before, now] = [between(known.day, last), between(known.day, morning.day)];
    const reaches = (distance: number) => before < distance && distance <= now;
    const isOfRound = reaches(ROUND * Math.floor(now / ROUND));
    return { known, last, reaches, isOfRound, isOpen: openLinks(known, morning) !== 0 };
  });
}

/** The days that are read again in any case: those whose turn it is in the round. */
export function daysOfRound(days: readonly KnownDay[], morning: Morning): Day[] {
  // A link that was open in the round before may have been paid before it ended.
  const before = { ...morning, since: addDays(morning.day, -ROUND - 1) };
  return withAges(days, morning)
    .filter(({ known, isOfRound }) => isOfRound && openLinks(known, before) !== 0)
    .map(({ known }) => known.day);
}

/** Whose counts are asked for alone, where those of a range are not of all its days: open ones, and others in the round. */
export function daysAskedAlone(days: readonly KnownDay[], morning: Morning): KnownDay[] {
  return withAges(days, morning)
    .filter(({ isOfRound, isOpen }) => isOfRound || isOpen)
    .map(({ known }) => known);
}

/** The days that are read again where the service's counts do not tell of changes. */
export function daysAtDistance(days: readonly KnownDay[], morning: Morning): Day[] {
  return withAges(days, morning)
    .filter(({ known, last, reaches, isOpen }) => {
      if (!isOpen) return false;
      // What was paid on the last day of a link.
      const hasEnded = known.followed.outcomes?.open.some(
        ({ lastDay }) => lastDay !== null && lastDay > last && lastDay <= morning.day,
      );
      return hasEnded === true || DISTANCES.some(reaches);
    })
    .map(({ known }) => known.day);
}
