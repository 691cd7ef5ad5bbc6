import { addDays, dayAt, isDay } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { UsageError } from '../terminal/command-errors.ts';
import { shown } from '../terminal/shown-text.ts';

/** The zone where a day begins first. */
const EARLIEST_ZONE = 'Etc/GMT-14';

/**
 * The day that `--day` asks for, in a zone.
 *
 * @param wanted a date, `yesterday` or `today`
 * @param now milliseconds UTC
 * @throws {UsageError} when it is none of these, or has not begun anywhere
 */
export function askedDay(wanted: string, now: number): (timeZone: string) => Day {
  if (wanted === 'yesterday') return (timeZone) => addDays(dayAt(now, timeZone), -1);
  if (wanted === 'today') return (timeZone) => dayAt(now, timeZone);
  if (!isDay(wanted)) {
    throw new UsageError(
      `the day must be a date (YYYY-MM-DD), "yesterday" or "today", given "${shown(wanted, 40)}"`,
    );
  }
  if (wanted > dayAt(now, EARLIEST_ZONE))
    throw new UsageError(`the day ${wanted} has not begun anywhere yet`);
  return () => wanted;
}
