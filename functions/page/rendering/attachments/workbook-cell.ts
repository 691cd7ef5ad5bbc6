import { AMOUNT_PATTERN, formatAmount, parseAmount } from '#records/money/money.ts';
import { bounded } from '#mail/formatters/outside-text.ts';
import * as Instant from 'temporal-polyfill/fns/Instant';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

/** What the cells of a column hold if possible. An amount has three decimals. */
export type CellContent = 'amount' | 'integer' | 'day' | 'time' | 'text';

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^(\d{4}-\d{2}-\d{2})[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?$/;
const DAY_LENGTH = 86_400_000;
const SECONDS_OF_DAY = 86_400;
/** The number of 1 January 1970 in a spreadsheet. */
const EPOCH = 25_569;
/** 1 March 1900: spreadsheets do not agree on the days before, because Excel has a 29 February 1900. */
const FIRST = 61;

/** The number of a date in a spreadsheet, `undefined` when it has none. @param day `YYYY-MM-DD` */
function dayNumber(day: string): number | undefined {
  const [, year, month, date] = DAY.exec(day) ?? [];
  const at = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== day) return undefined;
  const number = at / DAY_LENGTH + EPOCH;
  return number < FIRST ? undefined : number;
}

/**
 * The number of a time in a spreadsheet, to the second, or `undefined`. A time without an offset stays as it
 * is (docs/contract.md, 2.1 Formats); one with an offset becomes the local time in the zone.
 */
function timeNumber(text: string, timeZone: string): number | undefined {
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

export type WorkbookCell = string | number | null;

/** The most digits that spreadsheets keep. They would change the last digits of a longer number. */
const MOST_DIGITS = 15;
/** UTF-16 units. Excel treats a file with a longer cell as damaged. */
const LONGEST_CELL = 32_767;

// Plus signs and leading zeros belong to names of digits, and a number would lose them.
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const ZEROS_BEFORE = /^-?0*/;
// The format writes a character by its number like this. A customer's own text must stay unchanged.
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;
const LINE_BREAK = /\r\n?/g;
// XML forbids or advises against these. The library would also drop the character after them.
const NOT_IN_XML = /[\0-\x08\v\f\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFD]|\p{Noncharacter_Code_Point}/gu;

function isExactAmount(text: string): boolean {
  return AMOUNT_PATTERN.test(text) && text.replace('.', '').replace(ZEROS_BEFORE, '').length <= MOST_DIGITS;
}

function numberOf(text: string, holds: CellContent, timeZone: string): number | undefined {
  switch (holds) {
    case 'amount':
      return isExactAmount(text) ? Number(text) : undefined;
    case 'integer':
      return INTEGER.test(text) ? Number(text) : undefined;
    case 'day':
      return dayNumber(text);
    case 'time':
      return timeNumber(text, timeZone);
    case 'text':
      return undefined;
  }
}

/**
 * A cell of a workbook: a number where a double and a spreadsheet keep it exactly, else text that is never a
 * formula and ends in an ellipsis when too long.
 * @param text as in the CSV, before its protection against formulas
 */
export function workbookCell(text: string, holds: CellContent, timeZone: string): WorkbookCell {
  const number = numberOf(text, holds, timeZone);
  if (number !== undefined) return number;
  const kept = text.toWellFormed().replace(NOT_IN_XML, '').replace(LINE_BREAK, '\n');
  if (kept === '') return null;
  return bounded(kept.replace(LOOKS_ESCAPED, '_x005F_'), LONGEST_CELL);
}

export interface ColumnSum {
  /** A decimal string with three fraction digits. */
  amount: string;
  /** Whether a spreadsheet that adds up the column shows the same thousandths. */
  computable: boolean;
}

/** Sums a column of amounts exactly. */
export class ColumnTotal {
  #sum = 0n;
  #sizes = 0n;
  #count = 0;
  #isComputable = true;
  #isKnown = true;

  add(text: string): void {
    if (text === '' || !this.#isKnown) return;
    let amount: bigint;
    try {
      amount = parseAmount(text);
    } catch {
      this.#isKnown = false;
      return;
    }
    this.#sum += amount;
    this.#sizes += amount < 0n ? -amount : amount;
    this.#count += 1;
    this.#isComputable &&= isExactAmount(text);
  }

  /** `null` when there is nothing to sum, or a value is not an amount. */
  sum(): ColumnSum | null {
    if (!this.#isKnown || this.#count === 0) return null;
    // Each amount, and each step of a sum of doubles, is wrong by a share of 2^-53 at most: below half a thousandth.
    const isPrecise = BigInt(this.#count) * this.#sizes < 2n ** 51n;
    const amount = formatAmount(this.#sum);
    return { amount, computable: this.#isComputable && isPrecise && isExactAmount(amount) };
  }
}
