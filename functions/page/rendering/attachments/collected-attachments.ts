import { TABLES } from '#records/revision/manifest.ts';
import type { Table } from '#records/revision/manifest.ts';
import { peopleCells } from './attachment-columns.ts';
import type { AttachmentColumn, TableColumns } from './attachment-columns.ts';
import type { AttachmentWords } from './attachment-words.ts';
import type { Members } from '#records/json/exact-json.ts';
import { TableRows } from './workbook-sheets.ts';
import type { TableSheet } from './workbook-sheets.ts';
import { stringify } from 'csv-stringify/sync';
import type { Texts } from '#mail/texts/texts.ts';

/** Bytes of all attachments: SES's first API takes 10 MB, and Base64 makes them a third larger. */
export const LARGEST_ATTACHMENTS = 7_000_000;

/** The largest workbook that fits into the function's 512 MB (docs/performance.md). */
export const WORKBOOK_LIMITS: WorkbookLimits = { rows: 20_000, characters: 8_000_000 };

// Spreadsheets see the sign behind blanks, quotes and invisible marks too.
const FORMULA = /^[\s\p{Cc}\p{Cf}"'“”‘’]*[=+\-@＝＋－＠\t\r\n]/u;
/** A text of no characters but those of ids, as a formula that gives it. */
const KEPT_TEXT = /^="[\w.,/:+-]+"$/;
const NEGATIVE_NUMBER = /^-\d+(?:\.\d+)?$/;
// Where a program takes ";" or a tab as the separator, these begin a cell inside ours, despite its quotes.
// The sign is searched first, so that a long run of blanks is read once.
const CELL_WITHIN = /(?=[=+\-@＝＋－＠])(?<=[;\t\r\n][\s\p{Cc}\p{Cf}"'“”‘’]*)/gu;

/** The cell as a spreadsheet reads text. Negative amounts stay, to be summed, and so do ids that are kept as text. */
export function withoutFormula(cell: string): string {
  if (NEGATIVE_NUMBER.test(cell) || KEPT_TEXT.test(cell)) return cell;
  return `${FORMULA.test(cell) ? "'" : ''}${cell.replace(CELL_WITHIN, "'")}`;
}

// Readers stop at a NUL or refuse it, and no text needs one.
function clean(cell: string): string {
  return withoutFormula(cell.toWellFormed().replaceAll('\u0000', ''));
}

/** An RFC 4180 row with Excel's line ends. Every cell is quoted; else only those with a line break would be. */
export function csvRow(cells: readonly string[]): string {
  return stringify([cells.map(clean)], {
    record_delimiter: 'windows',
    quoted: true,
    quoted_empty: false,
  });
}

/** The byte order mark, from which Excel sees UTF-8, and the heads; the heads of columns in words come last. */
export function csvHeader(columns: readonly AttachmentColumn[], texts: Texts): string {
  const heads = columns.map(({ head }) => texts.say(head));
  const worded = columns
    .filter(({ inWords }) => inWords !== undefined)
    .map(({ head }) => texts.say('columns.inWords', { column: texts.say(head) }));
  return `\uFEFF${csvRow([...heads, ...worded])}`;
}

/** The CSV of a day, up to the limit. */
export class CollectedCsv {
  readonly #limit: number;
  #chunks: Buffer[];
  #bytes: number;

  /**
   * @param rows the expected number, and the columns of each: nothing is kept when they cannot fit
   * @param limit bytes, before Base64
   */
  constructor(header: string, rows: { count: number; columns: number }, limit: number) {
    this.#limit = limit;
    this.#chunks = [Buffer.from(header)];
    // A row has at least its separators and its line end.
    const least = rows.count * rows.columns;
    this.#bytes = Buffer.byteLength(header) + (least > limit ? least : 0);
  }

  /** Whether there were too many rows. It then drops what it had and ignores what is added. */
  get isTooBig(): boolean {
    return this.#bytes > this.#limit;
  }

  add(cells: readonly string[]): void {
    if (this.isTooBig) return;
    const chunk = Buffer.from(csvRow(cells));
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limit) this.#chunks = [];
  }

  /** `undefined` when it is too large. */
  content(): Buffer | undefined {
    return this.isTooBig ? undefined : Buffer.concat(this.#chunks);
  }
}

export interface WorkbookLimits {
  /** Of all sheets. */
  rows: number;
  /** UTF-16 units of all cells. */
  characters: number;
}

/** The names of the tables in formulas. */
const TABLE_NAMES = { invoices: 'Invoices', refunds: 'Refunds' } as const;

/** The tables of a workbook, one row each, up to the limits. */
export class CollectedWorkbook {
  readonly #limits: WorkbookLimits;
  readonly #columns: TableColumns;
  readonly #texts: Texts;
  #tables: Record<Table, TableRows> | undefined;
  #rows = 0;
  #characters = 0;

  /** @param rows the expected number of all tables; when they are too many, nothing is kept */
  constructor(
    columns: TableColumns,
    rows: number,
    { texts, timeZone }: { texts: Texts; timeZone: string },
    limits: WorkbookLimits = WORKBOOK_LIMITS,
  ) {
    this.#limits = limits;
    this.#columns = columns;
    this.#texts = texts;
    const open = (table: Table) => {
      const headed = columns[table].map((column) => ({ ...column, head: texts.say(column.head) }));
      return new TableRows(headed, timeZone);
    };
    if (rows <= limits.rows) this.#tables = { invoices: open('invoices'), refunds: open('refunds') };
  }

  /** Whether there were too many rows. It then drops what it had and ignores what is added. */
  get isTooBig(): boolean {
    return this.#tables === undefined;
  }

  /** @param row of a sealed file, redacted */
  add(table: Table, row: Members, words: AttachmentWords): void {
    const open = this.#tables?.[table];
    if (open === undefined) return;
    const cells = peopleCells(row, this.#columns[table], words);
    this.#rows += 1;
    this.#characters += cells.reduce((sum, { length }) => sum + length, 0);
    if (this.#rows > this.#limits.rows || this.#characters > this.#limits.characters)
      this.#tables = undefined;
    else open.add(cells);
  }

  /** `undefined` when it is too large. */
  sheets(): TableSheet[] | undefined {
    const tables = this.#tables;
    const texts = this.#texts;
    return (
      tables &&
      TABLES.map((table) =>
        tables[table].sheet({ name: texts.say(`workbook.${table}`), table: TABLE_NAMES[table] }, texts),
      )
    );
  }
}
