import { stringify } from 'csv-stringify/sync';
import type { AttachmentColumn } from './attachment-columns.ts';
import type { Texts } from '#mail/texts/texts.ts';

// Spreadsheets see the sign behind blanks, quotes and invisible marks too.
const FORMULA = /^[\s\p{Cc}\p{Cf}"'“”‘’]*[=+\-@＝＋－＠\t\r\n]/u;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;
// Where a program takes ";" or a tab as the separator, these begin a cell inside ours, despite its quotes.
// The sign is searched first, so that a long run of blanks is read once.
const CELL_WITHIN = /(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s\p{Cc}\p{Cf}"'“”‘’]*)/gu;

/**
 * The cell as a spreadsheet reads text. A negative amount stays: with an apostrophe it could not be summed.
 */
export function withoutFormula(cell: string): string {
  if (NEGATIVE_NUMBER.test(cell)) return cell;
  return `${FORMULA.test(cell) ? "'" : ''}${cell.replace(CELL_WITHIN, "'")}`;
}

// Readers stop at a NUL or refuse it, and no text needs one.
function clean(cell: string): string {
  return withoutFormula(cell.toWellFormed().replaceAll('\u0000', ''));
}

/**
 * An RFC 4180 row with Excel's line ends. Every cell is quoted; else only those with a line break would be.
 */
export function csvRow(cells: readonly string[]): string {
  return stringify([cells.map(clean)], {
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: false,
  });
}

/**
 * The byte order mark, from which Excel sees UTF-8, and the heads; the heads of columns in words come last.
 */
export function csvHeader(columns: readonly AttachmentColumn[], texts: Texts): string {
  const heads = columns.map(({ head }) => texts.say(head));
  const inWords = columns
    .filter(({ words }) => words !== undefined)
    .map(({ head }) => texts.say('columns.inWords', { column: texts.say(head) }));
  return `\uFEFF${csvRow([...heads, ...inWords])}`;
}
