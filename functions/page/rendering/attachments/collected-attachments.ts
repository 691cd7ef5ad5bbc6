import type { Table } from '#records/revision/manifest.ts';
import type { AttachmentColumn } from './attachment-columns.ts';
import { csvRow } from './attachment-csv.ts';
import { ColumnTotal } from './column-total.ts';
import type { ColumnSum } from './column-total.ts';
import { workbookCell } from './workbook-cell.ts';
import type { WorkbookCell } from './workbook-cell.ts';

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

export interface CollectedTable {
  columns: readonly AttachmentColumn[];
  rows: WorkbookCell[][];
  /** For each column, `null` where there is no sum. */
  sums: (ColumnSum | null)[];
}

class OpenTable {
  readonly columns: readonly AttachmentColumn[];
  readonly rows: WorkbookCell[][] = [];
  readonly #totals: (ColumnTotal | null)[];

  constructor(columns: readonly AttachmentColumn[]) {
    this.columns = columns;
    this.#totals = columns.map(({ summed }) => (summed === true ? new ColumnTotal() : null));
  }

  add(cells: readonly string[], timeZone: string): void {
    this.rows.push(this.columns.map(({ holds }, index) => workbookCell(cells[index] ?? '', holds, timeZone)));
    for (const [index, total] of this.#totals.entries()) total?.add(cells[index] ?? '');
  }

  collected(): CollectedTable {
    return {
      columns: this.columns,
      rows: this.rows,
      sums: this.#totals.map((total) => total?.sum() ?? null),
    };
  }
}

/** The tables of a day's workbook, up to the limits. */
export class CollectedWorkbook {
  readonly #limits: WorkbookLimits;
  readonly #timeZone: string;
  #tables: Record<Table, OpenTable> | undefined;
  #rows = 0;
  #characters = 0;

  /** @param rows the expected number of all tables; when they are too many, nothing is kept */
  constructor(
    columns: Record<Table, readonly AttachmentColumn[]>,
    rows: number,
    limits: WorkbookLimits,
    timeZone: string,
  ) {
    this.#limits = limits;
    this.#timeZone = timeZone;
    if (rows <= limits.rows)
      this.#tables = { invoices: new OpenTable(columns.invoices), refunds: new OpenTable(columns.refunds) };
  }

  /** Whether there were too many rows. It then drops what it had and ignores what is added. */
  get isTooBig(): boolean {
    return this.#tables === undefined;
  }

  add(table: Table, cells: readonly string[]): void {
    this.#rows += 1;
    this.#characters += cells.reduce((sum, { length }) => sum + length, 0);
    if (this.#rows > this.#limits.rows || this.#characters > this.#limits.characters)
      this.#tables = undefined;
    this.#tables?.[table].add(cells, this.#timeZone);
  }

  /** `undefined` when it is too large. */
  tables(): Record<Table, CollectedTable> | undefined {
    const tables = this.#tables;
    return tables && { invoices: tables.invoices.collected(), refunds: tables.refunds.collected() };
  }
}
