import { addDays } from './business-day.ts';
import type { Day } from './business-day.ts';

/** Times of the year in which the usual is another. */
export type Occasion = 'ramadan' | 'eidAlFitr' | 'eidAlAdha' | 'nationalDay';

/** From the runtime's own calendars: Temporal's would add 4 kB to each bundle. Built when first needed. */
let calendar: Intl.DateTimeFormat | undefined;

/** Month and date of the Umm al-Qura calendar, `9-1` for the first of Ramadan. */
function hijriDate(day: Day): string {
  calendar ??= new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
    month: 'numeric',
    day: 'numeric',
    timeZone: 'UTC',
  });
  const parts = calendar.formatToParts(new Date(day));
  const part = (type: 'month' | 'day') => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('month')}-${part('day')}`;
}

/** Each feast has a day more than its holiday: what is announced may be a day later than the calendar. */
const IN_HIJRI_YEAR: readonly [Occasion, RegExp][] = [
  ['ramadan', /^9-/],
  ['eidAlFitr', /^10-[1-4]$/],
  ['eidAlAdha', /^12-(?:9|1[0-4])$/],
];

const NATIONAL_DAYS: Readonly<Record<string, readonly string[]>> = { 'Asia/Kuwait': ['02-25', '02-26'] };

function isNationalDay(day: Day, timeZone: string): boolean {
  return NATIONAL_DAYS[timeZone]?.includes(day.slice(5)) ?? false;
}

/** At most two: a National Day may be in Ramadan. @param timeZone the merchant's, IANA name */
export function occasionsOf(day: Day, timeZone: string): Occasion[] {
  const date = hijriDate(day);
  return [
    ...IN_HIJRI_YEAR.flatMap(([occasion, dates]) => (dates.test(date) ? [occasion] : [])),
    ...(isNationalDay(day, timeZone) ? ['nationalDay' as const] : []),
  ];
}

const WEEKS_BACK = [1, 2, 3, 4];
/** A Hijri year has 354 or 355 days, and one calendar's day may be beside the other's. */
const HIJRI_YEAR = [354, 355, 353];

/** The same date of the year before, `undefined` when that year has none: a month of 30 days may have had 29. */
function yearBefore(day: Day, timeZone: string): Day | undefined {
  // Of February, so there is one.
  if (isNationalDay(day, timeZone))
    return [365, 366].map((days) => addDays(day, -days)).find((one) => one.endsWith(day.slice(4)));
  const date = hijriDate(day);
  return HIJRI_YEAR.map((days) => addDays(day, -days)).find((one) => hijriDate(one) === date);
}

/** Earlier days that may be compared with a day, and why others may not. */
export interface LikeDays {
  days: Day[];
  /** Of the day itself, or else of the weekdays before it that are left out. */
  occasions: Occasion[];
  /** Whether they are the same weekday of the four weeks before, or a day of the year before. */
  isUsual: boolean;
}

/**
 * An ordinary day is like the ordinary ones of its weekday in the four weeks before, newest first. A day of an
 * occasion is like the same day of the year before: of the Hijri year, or for a National Day of the common one.
 * @param timeZone the merchant's, IANA name
 */
export function likeDays(day: Day, timeZone: string): LikeDays {
  const own = occasionsOf(day, timeZone);
  if (own.length === 0) {
    const weekdays = WEEKS_BACK.map((weeks) => addDays(day, -7 * weeks));
    const days = weekdays.filter((one) => occasionsOf(one, timeZone).length === 0);
    const occasions = [...new Set(weekdays.flatMap((one) => occasionsOf(one, timeZone)))];
    return { days, occasions, isUsual: true };
  }
  const before = yearBefore(day, timeZone);
  const isLike = before !== undefined && occasionsOf(before, timeZone).join() === own.join();
  return { days: isLike ? [before] : [], occasions: own, isUsual: false };
}
