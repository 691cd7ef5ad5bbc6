import { addDays, dayAt } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
/** Days that runs still pull by themselves, and the two that files must be old. */
const RECENT = 25;
/** An older day can only have been pulled by hand. */
const OLDER = 401;

/**
 * The days that are looked at now: of the recent ones one, and every four hundredth of the older. Turns are hours, and
 * 25 and 401 have no divisor in common with the hours between sweeps, so that whatever their rate each day has its turn:
 * hourly, a recent one about once a day, and an older one every 17 days.
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
