import { stringify } from 'csv-stringify/sync';
import type { AttachmentColumn } from './attachment-columns.ts';
import type { Texts } from '../texts/texts.ts';

// Spreadsheets see the sign behind blanks, quotes and invisible marks too.
const FORMULA = /^[\s\p{Cc}\p{Cf}"'“”‘’]*[=+\-@＝＋－＠\t\r\n]/u;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;
// When a program takes ";" or a tab as the separator, these begin a cell inside ours, and its quotes do not
// protect it. The sign is searched first, so that a long run of blanks is read once.
const CELL_WITHIN = /(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s\p{Cc}\p{Cf}"'“”‘’]*)/gu;

/**
 * The cell in a form that a spreadsheet reads as text. A plain negative amount stays unchanged: it is a
 * number in any case, and with an apostrophe the column could not be summed.
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
 * A row of the CSV for merchants: RFC 4180 with the line ends that Excel writes. Every cell is quoted;
 * otherwise only cells with `\r\n` would be.
 *
 * @param cells of `csvCells`
 */
export function csvRow(cells: readonly string[]): string {
  return stringify([cells.map(clean)], {
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: false,
  });
}

/**
 * The byte order mark, from which Excel sees UTF-8, and the heads of the columns. Behind them stand the heads
 * of the columns in words.
 */
export function csvHeader(columns: readonly AttachmentColumn[], texts: Texts): string {
  const heads = columns.map(({ head }) => texts.say(head));
  const inWords = columns
    .filter(({ words }) => words !== undefined)
    .map(({ head }) => texts.say('columns.inWords', { column: texts.say(head) }));
  return `\uFEFF${csvRow([...heads, ...inWords])}`;
}
