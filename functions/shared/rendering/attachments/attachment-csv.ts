import { stringify } from 'csv-stringify/sync';
import { ATTACHMENT_COLUMNS } from './attachment-columns.ts';
import type { Texts } from '../texts/texts.ts';

// Blanks, quotes and marks that nobody sees do not keep a spreadsheet from seeing the sign behind them.
const FORMULA = /^[\s\p{Cc}\p{Cf}"'“”‘’]*[=+\-@＝＋－＠\t\r\n]/u;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;
// Where Excel takes ";" for the separator, these begin a cell inside ours, and its quotes do not protect it. The sign
// is looked for first, so that a long run of blanks is walked once.
const CELL_WITHIN = /(?=[=+\-@＝＋－＠])(?<=[;\r\n][\s\p{Cc}\p{Cf}"'“”‘’]*)/gu;

/**
 * The cell as a spreadsheet takes it for text. A plain negative amount stays as it is: it is a number whether it is
 * read as a formula or not, and with an apostrophe the column could not be summed.
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
 * A row of the CSV that merchants get: RFC 4180 with the line ends that Excel writes; every cell in quotes, since only
 * `\r\n` would ask for them.
 *
 * @param cells of `attachmentCells`
 */
export function csvRow(cells: readonly string[]): string {
  return stringify([cells.map(clean)], {
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: false,
  });
}

/** The byte order mark, by which Excel knows UTF-8, and the heads of the columns. */
export function csvHeader(texts: Texts): string {
  return `\uFEFF${csvRow(ATTACHMENT_COLUMNS.map(({ name }) => texts.say(`columns.${name}`)))}`;
}
