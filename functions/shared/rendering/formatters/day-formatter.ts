import type { Day } from '#domain/day/business-day.ts';
import { isolated } from './outside-text.ts';
import type { Texts } from '../texts/texts.ts';

/** Built once: building a formatter is slow, and a mail prints twenty dates. */
const formats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([locale, options]);
  const format = formats.get(name) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(name, format);
  return format;
}

function formattedDay(day: Day, { locale }: Texts, options: Intl.DateTimeFormatOptions): string {
  const format = dateFormat(locale, { ...options, timeZone: 'UTC' });
  return format.format(Date.parse(day));
}

/** `Friday, 20 November 2026` */
export function longDay(day: Day, texts: Texts): string {
  return formattedDay(day, texts, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
}

/** `20 Nov 2026` */
export function shortDay(day: Day, texts: Texts): string {
  return formattedDay(day, texts, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** `Fri 20` */
export function dayOfTrend(day: Day, texts: Texts): string {
  return formattedDay(day, texts, { weekday: 'short', day: 'numeric' });
}

/** `Friday` */
export function weekday(day: Day, texts: Texts): string {
  return formattedDay(day, texts, { weekday: 'long' });
}

/** `14:05`, the local time in the zone. @param instant ISO 8601, UTC */
export function timeOfDay(instant: string, timeZone: string, { locale }: Texts): string {
  const format = dateFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  return isolated(format.format(Date.parse(instant)));
}

/**
 * A local time in the zone: `21 November 2026 at 06:00 (Asia/Kuwait)`.
 *
 * @param instant ISO 8601, UTC
 */
export function moment(instant: string, timeZone: string, { locale }: Texts): string {
  const format = dateFormat(locale, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone });
  return `${isolated(format.format(Date.parse(instant)))} ${isolated(`(${timeZone})`)}`;
}
