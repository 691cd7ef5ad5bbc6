import { AMOUNT_PATTERN } from '#domain/money/money.ts';
import { bounded } from '../formatters/outside-text.ts';
import type { CellContent } from './cell-content.ts';
import { dayNumber, timeNumber } from './time-cell.ts';

/** A text or a number in a sheet. A date is a number. `null` is an empty cell. */
export type WorkbookCell = string | number | null;

/** The most digits that spreadsheets keep. They would change the last digits of a longer number. */
const MOST_DIGITS = 15;
/** UTF-16 units. Excel treats a file with a longer cell as damaged. */
const LONGEST_CELL = 32_767;

// No plus sign and no leading zeros: a text with these is not a number but a name of digits, and a number
// would lose them.
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const ZEROS_BEFORE = /^-?0*/;
// The format writes a character by its number like this. A customer's text that looks the same must stay
// unchanged.
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;
const LINE_BREAK = /\r\n?/g;
// XML forbids most of these and advises against the others. The library would also drop the character after
// them.
const NOT_IN_XML = /[\0-\x08\v\f\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFD]|\p{Noncharacter_Code_Point}/gu;

/** Whether a spreadsheet keeps every digit of the amount. */
export function isExactAmount(text: string): boolean {
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
 * A cell of a workbook. A value that a double and a spreadsheet keep exactly is a number. Everything else is
 * text and is never read as a formula. A text that is too long for a cell ends in an ellipsis.
 *
 * @param text as in the CSV, before its protection against formulas
 * @param timeZone IANA name, for times that say their offset
 */
export function workbookCell(text: string, holds: CellContent, timeZone: string): WorkbookCell {
  const number = numberOf(text, holds, timeZone);
  if (number !== undefined) return number;
  const kept = text.toWellFormed().replace(NOT_IN_XML, '').replace(LINE_BREAK, '\n');
  if (kept === '') return null;
  return bounded(kept.replace(LOOKS_ESCAPED, '_x005F_'), LONGEST_CELL);
}
