import { addDays, dayAt } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
/** Days that runs still pull by themselves, and the two days that files must be old. */
const RECENT = 25;
/** Older days were pulled by hand. Each has its turn once in this many hours. */
const OLDER = 401;

/**
 * The days to look at in this hour: one of every 25 recent days, and one of every 401 older days. The numbers
 * have no divisor in common with the hours between sweeps, so each day has its turn whatever the schedule.
 * With hourly sweeps that is about once a day for a recent day, and every 17 days for an older one.
 *
 * @param present the days that have files
 * @param now milliseconds UTC
 */
export function daysInTurn(present: readonly Day[], now: number): Day[] {
  const turn = Math.floor(now / HOUR);
  const firstRecent = addDays(dayAt(now, 'UTC'), 2 - RECENT);
  return present.filter((day) => {
    const turns = day >= firstRecent ? RECENT : OLDER;
    return Math.floor(Date.parse(day) / DAY) % turns === turn % turns;
  });
}
