import * as Instant from 'temporal-polyfill/fns/Instant';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;
const DAY_LENGTH = 86_400_000;
const SECONDS_OF_DAY = 86_400;
/** The number of 1 January 1970 in a spreadsheet. */
const EPOCH = 25_569;
/** 1 March 1900. Spreadsheets do not agree on the days before, because Excel has a 29 February 1900. */
const FIRST = 61;

/** The number of a date in a spreadsheet, `undefined` when it has none. @param day `YYYY-MM-DD` */
export function dayNumber(day: string): number | undefined {
  const [, year, month, date] = DAY.exec(day) ?? [];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) return undefined;
  const number = at / DAY_LENGTH + EPOCH;
  return number < FIRST ? undefined : number;
}

/**
 * The number of a time in a spreadsheet, to the second. `undefined` when it has none.
 *
 * @param text `2026-11-20 10:05:00`. It stays as it is: the service does not say in which zone it is
 * (docs/contract.md, 2.1 Formats). A time with an offset, such as `2026-11-20T07:05:00Z`, becomes the local
 * time in the zone.
 * @param timeZone IANA name
 */
export function timeNumber(text: string, timeZone: string): number | undefined {
  const [, day = '', hours, minutes, seconds, offset] = TIME.exec(text) ?? [];
  const days = dayNumber(day);
  if (days === undefined) return undefined;
  if (offset !== undefined) {
    const at = Date.parse(text.replace(' ', 'T'));
    return Number.isNaN(at) ? undefined : timeNumber(localTime(at, timeZone), timeZone);
  }
  return days + (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) / SECONDS_OF_DAY;
}

/** The local time in the zone: `2026-11-20T10:05:00`. @param at milliseconds since 1970 UTC */
function localTime(at: number, timeZone: string): string {
  const local = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(at), timeZone);
  const offset = ZonedDateTime.offsetNanoseconds(local) / 1e6;
  return new Date(at + offset).toISOString().slice(0, 19);
}
