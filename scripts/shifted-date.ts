const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: DAY };

/** A date that tests run under. */
export interface Shift {
  /** How far from the machine's clock, such as `+45d`, or a moment (ISO 8601, UTC) at which the run begins. */
  to: string;
  /** The machine's time zone during the run; its own where that is `undefined`. */
  zone?: string;
  why: string;
}

/** The dates under which the tests run in turn. Those with a moment begin minutes before it becomes another date. */
export const SHIFTS: readonly Shift[] = [
  { to: '+1d', why: 'tomorrow' },
  { to: '+45d', why: 'another month' },
  { to: '+400d', why: 'another year' },
  { to: '2027-01-31T22:57:00Z', zone: 'Europe/Berlin', why: 'the end of a month' },
  { to: '2028-02-29T23:57:00Z', zone: 'UTC', why: 'a 29 February, and its end' },
  { to: '2027-03-28T00:57:00Z', zone: 'Europe/Berlin', why: 'clocks go forward' },
  { to: '2027-10-31T00:57:00Z', zone: 'Europe/Berlin', why: 'clocks go back' },
];

/** The shift whose turn it is on a day of the year (UTC). @param now milliseconds since 1970 */
export function shiftOfDay(now: number): Shift {
  const dayOfYear = Math.floor((now - Date.UTC(new Date(now).getUTCFullYear(), 0, 1)) / DAY) + 1;
  const shift = SHIFTS[dayOfYear % SHIFTS.length];
  if (shift === undefined) throw new RangeError('there are no shifts');
  return shift;
}

/**
 * How far a shift is from the machine's clock, in whole seconds; fewer than none go back.
 *
 * @param now milliseconds since 1970
 * @throws RangeError for what is neither a distance in minutes, hours or days nor a moment
 */
export function secondsAhead(to: string, now: number): number {
  const [, sign, count, unit] = /^([+-])(\d{1,5})([mhd])$/.exec(to) ?? [];
  const milliseconds = unit === undefined ? undefined : UNITS[unit];
  if (milliseconds !== undefined) return (Number(`${sign}${count}`) * milliseconds) / 1_000;
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z$/.test(to) ? Date.parse(to) : Number.NaN;
  if (!Number.isNaN(moment)) return Math.round((moment - now) / 1_000);
  throw new RangeError(
    `"${to}" is no shift: +1d, -3h and +90m are, and a moment such as 2028-02-29T12:00:00Z`,
  );
}
