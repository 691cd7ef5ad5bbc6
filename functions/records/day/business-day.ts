// Temporal as functions: its classes are twice as large, and every cold start would load them.
import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as PlainTime from 'temporal-polyfill/fns/PlainTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';
import * as z from 'zod';
import { DaybookError } from '../errors/daybook-error.ts';

export type Day = string;

/** A text is not a date of the calendar (`2026-02-30`), or is a day in the future. */
export class InvalidDayError extends DaybookError {
  override readonly name = 'InvalidDayError';
}

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** @throws {RangeError} when it is not a date of the calendar */
function dateOf(day: Day): PlainDate.Record {
  if (!DAY_PATTERN.test(day)) throw new RangeError('is not a date (YYYY-MM-DD)');
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return PlainDate.create(year, month, date);
}

/** A real date, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!DAY_PATTERN.test(text)) return false;
  const at = Date.parse(`${text}T00:00Z`);
  // The 30th of February is read as a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The date that a value of the service is; `null` when it is no date of the calendar. */
export function dayIn(value: unknown): Day | null {
  return typeof value === 'string' && isDay(value) ? value : null;
}

export const daySchema = z.lazy(() => z.string().refine(isDay, 'must be a date (YYYY-MM-DD)'));

/** Building a formatter is slow, and ten thousand merchants share a few zones. */
const knownZones = new Set<string>();

/** Whether the name is a time zone that this runtime knows, such as `Asia/Kuwait`. */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
  } catch {
    return false;
  }
  knownZones.add(name);
  return true;
}

export const timeZoneSchema = z.lazy(() => z.string().refine(isTimeZone, 'is not a time zone'));

/** The date in the zone. @param instant milliseconds UTC @param timeZone IANA name */
export function dayAt(instant: number, timeZone: string): Day {
  const at = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(instant), timeZone);
  return PlainDate.toString(ZonedDateTime.toPlainDate(at));
}

/** Calendar days, whatever their length. Earlier when negative. */
export function addDays(day: Day, days: number): Day {
  return PlainDate.toString(PlainDate.addDays(dateOf(day), days));
}

/**
 * The day that an event asks for.
 * @param wanted a date, or `yesterday` or `today` in the merchant's zone
 * @param now milliseconds UTC
 * @throws {InvalidDayError} when it is not a date, or has not begun yet in that zone
 */
export function resolveDay(wanted: string, now: number, timeZone: string): Day {
  const today = dayAt(now, timeZone);
  if (wanted === 'today') return today;
  if (wanted === 'yesterday') return addDays(today, -1);
  if (!isDay(wanted))
    throw new InvalidDayError(`day is neither a date (YYYY-MM-DD), "yesterday" nor "today"`);
  if (wanted > today) throw new InvalidDayError(`day ${wanted} has not begun yet in ${timeZone}`);
  return wanted;
}

/** Milliseconds UTC, of `HH:MM`. A skipped time is the moment after the gap, one that comes twice the first. */
export function instantOf(day: Day, timeOfDay: string, timeZone: string): number {
  const plainTime = PlainTime.fromString(timeOfDay);
  return PlainDate.toZonedDateTime(dateOf(day), { timeZone, plainTime }).epochMilliseconds;
}

/**
 * Days on which the local clock reached `timeOfDay` (`HH:MM`) after `after` and up to `until`, milliseconds
 * UTC. A skipped time counts after the gap, one that comes twice the first time.
 */
export function daysReaching(timeOfDay: string, timeZone: string, after: number, until: number): Day[] {
  const days: Day[] = [];
  // A gap can move a time of day into the next date, so the search starts one date early.
  for (let day = addDays(dayAt(after, timeZone), -1); day <= dayAt(until, timeZone); day = addDays(day, 1)) {
    const instant = instantOf(day, timeOfDay, timeZone);
    if (instant > after && instant <= until) days.push(day);
  }
  return days;
}

/** The local time, `YYYY-MM-DD HH:MM`. @param instant ISO 8601 in UTC */
export function localTime(instant: string, timeZone: string): string {
  const at = Instant.toZonedDateTimeISO(Instant.fromString(instant), timeZone);
  const time = PlainTime.toString(ZonedDateTime.toPlainTime(at), { smallestUnit: 'minute' });
  return `${PlainDate.toString(ZonedDateTime.toPlainDate(at))} ${time}`;
}

/** The place of a name is its number: Sunday is 0. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export function weekdayOf(day: Day): number {
  // A date without a time is midnight UTC, so the zone of the machine does not matter.
  return new Date(day).getUTCDay();
}

/** Days from `day` to the weekday, 0 to 6. */
export function daysUntilWeekday(day: Day, weekday: Weekday): number {
  return (WEEKDAYS.indexOf(weekday) - weekdayOf(day) + 7) % 7;
}
