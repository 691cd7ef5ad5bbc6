import type { Day } from '#records/day/business-day.ts';
import { ISOLATE_END, ISOLATE_START, isolated } from './outside-text.ts';
import type { TextName, Texts } from '../texts/texts.ts';
import { addDays } from '#records/day/business-day.ts';
import { memoized } from '#registry/once.ts';
import { periodKind } from '#records/period/period.ts';
import type { Period, PeriodDays } from '#records/period/period.ts';

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|GMT0|Universal|Zulu|Greenwich)$/i;
/** POSIX counts to the west: `Etc/GMT+3` is three hours behind UTC. */
const WEST_OF_UTC = /^Etc\/GMT([+-])(\d{1,2})$/;
const OFFSET = /^[+-]\d{2}(?::\d{2})?/;

function offsetOf(timeZone: string): string | undefined {
  const [, sign, hours = ''] = WEST_OF_UTC.exec(timeZone) ?? [];
  if (sign !== undefined) return `${sign === '+' ? '-' : '+'}${hours.padStart(2, '0')}:00`;
  return OFFSET.exec(timeZone)?.[0];
}

/**
 * `Kuwait time`. Usual cities are texts of ours: `Intl` names them differently from one version of Node to
 * the next, and a mail must always have the same bytes.
 */
export function zoneName(timeZone: string, texts: Texts): string {
  if (UTC.test(timeZone)) return texts.say('zone.utc');
  const offset = offsetOf(timeZone);
  if (offset !== undefined) return texts.say('zone.offset', { offset: isolated(`UTC${offset}`) });
  const name = `cities.${timeZone}`;
  const city = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  return texts.say('zone.of', { city: texts.has(name) ? texts.say(name) : isolated(city) });
}

/**
 * Months and weekdays are texts of ours, for the same reason. Dates have no-break spaces and are isolated; to
 * isolate them again would remove these spaces.
 */

/** Built once for each zone: building a formatter is slow, and a mail prints twenty dates. */
const formats = new Map<string, Intl.DateTimeFormat>();

const FORM = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

/** @param instant milliseconds UTC */
function partsOf(instant: number, timeZone: string): Readonly<Record<string, string>> {
  const build = () => new Intl.DateTimeFormat('en-GB-u-ca-gregory-nu-latn', { ...FORM, timeZone });
  const parts = memoized(formats, timeZone, build).formatToParts(instant);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

function isolatedDate(date: string): string {
  return `${ISOLATE_START}${date}${ISOLATE_END}`;
}

function named(name: string, texts: Texts): string {
  return texts.has(name) ? texts.say(name) : '';
}

function values(
  instant: number,
  timeZone: string,
  texts: Texts,
  short: '' | '.short' = '',
): Record<string, string> {
  const { hour = '', minute = '', ...date } = partsOf(instant, timeZone);
  const [year, month, day] = [Number(date['year']), Number(date['month']), Number(date['day'])];
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return {
    year: year.toString(),
    month: named(`months${short}.${month}`, texts),
    day: day.toString(),
    weekday: named(`weekdays${short}.${weekday}`, texts),
    time: `${hour}:${minute}`,
  };
}

function ofDay(day: Day, texts: Texts, short: '' | '.short' = ''): Record<string, string> {
  return values(Date.parse(day), 'UTC', texts, short);
}

/** Writes a day with a text. @param short whether its month and weekday are */
function written(name: TextName, short: '' | '.short' = '') {
  return (day: Day, texts: Texts): string => isolatedDate(texts.say(name, ofDay(day, texts, short)));
}

/** `Friday, 20 November 2026` */
export const longDay = written('date.long');

/** {@link longDay} as a line of its own: Arabic says "on" before it. */
export const dayLine = written('date.line');

/** `20 Nov 2026` */
export const shortDay = written('date.short', '.short');

/** `20 Nov` */
export const dayAndMonth = written('date.dayAndMonth', '.short');

/** `20 November` */
export const dayInText = written('date.dayAndMonth');

/** `November 2026` */
export const monthAndYear = written('date.month');

/** `Fri 20` */
export const dayOfTrend = written('date.trend', '.short');

/**
 * Days that follow each other, month and year once where both ends have the same. `long`: `15–21 November
 * 2026`; `short`: `29 Nov – 5 Dec 2026`; `bare`: `29 Nov – 5 Dec`.
 */
export function rangeOfDays(from: Day, to: Day, texts: Texts, form: 'long' | 'short' | 'bare'): string {
  const names = form === 'long' ? '' : '.short';
  const [first, last] = [ofDay(from, texts, names), ofDay(to, texts, names)];
  const values = {
    ...last,
    fromDay: first['day'] ?? '',
    fromMonth: first['month'] ?? '',
    fromYear: first['year'] ?? '',
  };
  const isOfMonth = from.slice(0, 7) === to.slice(0, 7);
  if (form === 'bare') {
    return isolatedDate(texts.say(isOfMonth ? 'date.range.days.bare' : 'date.range.months.bare', values));
  }
  const isOfYear = from.slice(0, 4) === to.slice(0, 4);
  const ends = isOfMonth ? 'days' : isOfYear ? 'months' : 'years';
  return isolatedDate(texts.say(`date.range.${ends}`, values));
}

/** `Friday`. It is not isolated. */
export function weekday(day: Day, texts: Texts): string {
  return texts.say('date.weekday', ofDay(day, texts));
}

/** `14:05`. @param instant ISO 8601, UTC */
export function timeOfDay(instant: string, timeZone: string, texts: Texts): string {
  const { time = '' } = values(Date.parse(instant), timeZone, texts);
  return isolatedDate(time);
}

/** `21 November 2026 at 06:00`, where the zone is said beside it. @param instant ISO 8601, UTC */
export function localMoment(instant: string, timeZone: string, texts: Texts): string {
  return isolatedDate(texts.say('date.moment', values(Date.parse(instant), timeZone, texts)));
}

/** `21 November 2026 at 06:00 (Kuwait time)`. @param instant ISO 8601, UTC */
export function moment(instant: string, timeZone: string, texts: Texts): string {
  const zone = zoneName(timeZone, texts).replaceAll(' ', '\u00A0');
  return `${localMoment(instant, timeZone, texts)} ${isolatedDate(`(${zone})`)}`;
}

interface NamedPeriod extends PeriodDays {
  period: Period;
}

/**
 * `November 2026`, `Week of 15–21 November 2026 (2026-W47)`, or the day. People who begin their weeks on
 * another day know it by its name.
 */
export function periodLine({ period, from, to }: NamedPeriod, texts: Texts): string {
  const kind = periodKind(period);
  if (kind === 'month') return monthAndYear(from, texts);
  if (kind !== 'week') return dayLine(from, texts);
  return texts.say('period.week', { days: rangeOfDays(from, to, texts, 'long'), week: isolated(period) });
}

/** For a subject: the year of a week or day is given only when it is not that of the mail. */
export function periodInSubject(named: NamedPeriod, mailed: Day, texts: Texts): string {
  const { period, from, to } = named;
  const isOfYear = to.slice(0, 4) === mailed.slice(0, 4);
  if (periodKind(period) === 'week') {
    return texts.say('period.week.short', {
      days: rangeOfDays(from, to, texts, isOfYear ? 'bare' : 'short'),
    });
  }
  return from === to && isOfYear ? dayAndMonth(from, texts) : periodName(named, texts);
}

/** A period as the head of a column or in a sentence: `November 2026`, `15–21 Nov 2026`, `20 Nov 2026`. */
export function periodName({ period, from, to }: NamedPeriod, texts: Texts): string {
  const kind = periodKind(period);
  if (kind === 'month') return monthAndYear(from, texts);
  return kind === 'week' ? rangeOfDays(from, to, texts, 'short') : shortDay(from, texts);
}

/** `14 Nov, 20–22 Nov`. @param days in order */
export function listedDays(days: readonly Day[], texts: Texts): string {
  const runs: PeriodDays[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day;
    else runs.push({ from: day, to: day });
  }
  return runs
    .map(({ from, to }) => (from === to ? dayAndMonth(from, texts) : rangeOfDays(from, to, texts, 'bare')))
    .join(texts.say('comma'));
}
