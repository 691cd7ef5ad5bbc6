const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: DAY };

export interface Shift {
  /** The distance from the machine's clock, such as `+45d`, or the moment at which the run begins (ISO 8601, UTC). */
  to: string;
  /** The machine's time zone during the run; `undefined` keeps its own. */
  zone?: string;
  why: string;
}

/** The dates for the tests, used in turn. Those with a moment begin minutes before the next date. */
export const SHIFTS: readonly Shift[] = [
  { to: '+1d', why: 'tomorrow' },
  { to: '+45d', why: 'another month' },
  { to: '+400d', why: 'another year' },
  { to: '2027-01-31T22:57:00Z', zone: 'Europe/Berlin', why: 'the end of a month' },
  { to: '2028-02-29T23:57:00Z', zone: 'UTC', why: 'a 29 February, and its end' },
  { to: '2027-03-28T00:57:00Z', zone: 'Europe/Berlin', why: 'clocks go forward' },
  { to: '2027-10-31T00:57:00Z', zone: 'Europe/Berlin', why: 'clocks go back' },
];

/** Days since the beginning of 1970. The count does not restart with a year, so no part of the tests is left out at the end of one. */
export function dayNumber(now: number): number {
  return Math.floor(now / DAY);
}

/** The shift for a day (UTC). @param now milliseconds since 1970 */
export function shiftOfDay(now: number): Shift {
  const shift = SHIFTS[dayNumber(now) % SHIFTS.length];
  if (shift === undefined) throw new RangeError('there are no shifts');
  return shift;
}

/** The number of parts of the test files. One part runs each day. The number and that of the shifts have no common divisor. */
export const PARTS = 5;

/** From 1, for a day (UTC, milliseconds). In as many days as shifts times parts, each part meets each shift once. */
export function partOfDay(now: number): number {
  return (dayNumber(now) % PARTS) + 1;
}

/**
 * The distance between a shift and the machine's clock, in whole seconds. A negative number goes back.
 *
 * @param now milliseconds since 1970
 * @throws RangeError for text that is neither a distance in minutes, hours or days nor a moment
 */
export function secondsAhead(to: string, now: number): number {
  const [, sign, count, unit] = /^([+-])(\d{1,5})([mhd])$/.exec(to) ?? [];
  const milliseconds = unit === undefined ? undefined : UNITS[unit];
  if (milliseconds !== undefined) return (Number(`${sign}${count}`) * milliseconds) / 1_000;
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z$/.test(to) ? Date.parse(to) : Number.NaN;
  if (!Number.isNaN(moment)) return Math.round((moment - now) / 1_000);
  throw new RangeError(
    `"${to}" is not a shift: use +1d, -3h, +90m, or a moment such as 2028-02-29T12:00:00Z`,
  );
}
