import { AMOUNT_PATTERN } from '#domain/money/money.ts';
import { bounded } from '../formatters/outside-text.ts';

/** A text or a number as a sheet holds it; `null` is an empty cell. */
export type WorkbookCell = string | number | null;

/** What the cells of a column hold where they can: an amount of three decimals, a whole number, or any text. */
export type CellContent = 'amount' | 'integer' | 'text';

/** Spreadsheets keep and show so many digits; of a longer number they would change the last ones. */
const MOST_DIGITS = 15;
/** UTF-16 units: Excel takes a file with a longer cell for a damaged one. */
const LONGEST_CELL = 32_767;

// No sign and no zero that a number would lose: such a text is not a number, but a name made of digits.
const INTEGER = /^(?:0|-?[1-9]\d{0,14})$/;
const ZEROS_BEFORE = /^-?0*/;
// How the format writes a character by its number; a customer's text that only looks so is to stay as it is.
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi;
const LINE_BREAK = /\r\n?/g;
// XML forbids most of these and advises against the others; the library that writes would take the next one along.
const NOT_IN_XML = /[\0-\x08\v\f\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFD]|\p{Noncharacter_Code_Point}/gu;

function isNumber(text: string, holds: CellContent): boolean {
  switch (holds) {
    case 'amount':
      return (
        AMOUNT_PATTERN.test(text) && text.replace('.', '').replace(ZEROS_BEFORE, '').length <= MOST_DIGITS
      );
    case 'integer':
      return INTEGER.test(text);
    case 'text':
      return false;
  }
}

/**
 * A cell of a workbook. What a double and a spreadsheet keep digit for digit is a number, everything else a text, and a
 * text is never read as a formula. One that is too long for a cell ends in an ellipsis.
 *
 * @param text as the CSV has it, before that guards itself against formulas
 */
export function workbookCell(text: string, holds: CellContent): WorkbookCell {
  if (isNumber(text, holds)) return Number(text);
  const kept = text.toWellFormed().replace(NOT_IN_XML, '').replace(LINE_BREAK, '\n');
  if (kept === '') return null;
  return bounded(kept.replace(LOOKS_ESCAPED, '_x005F_'), LONGEST_CELL);
}
