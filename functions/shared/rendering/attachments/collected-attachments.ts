import { ATTACHMENT_COLUMNS } from './attachment-columns.ts';
import { csvRow } from './attachment-csv.ts';
import { workbookCell } from './workbook-cell.ts';
import type { WorkbookCell } from './workbook-cell.ts';

/** Collects the invoices of a day, as `attachmentCells` gives them, up to the most that may be attached. */
export interface CollectedAttachment {
  /** Whether there were too many rows. It then drops what it had and ignores what is added. */
  readonly isTooBig: boolean;
  add(cells: readonly string[]): void;
}

/** The CSV of a day, up to the limit. */
export class CollectedCsv implements CollectedAttachment {
  readonly #limit: number;
  #chunks: Buffer[];
  #bytes: number;

  /**
   * @param header of `csvHeader`
   * @param rows the expected number; when they cannot fit, nothing is kept
   * @param limit bytes; in the mail it takes a third more
   */
  constructor(header: string, rows: number, limit: number) {
    this.#limit = limit;
    this.#chunks = [Buffer.from(header)];
    // A row has at least its separators and its line end.
    const least = rows * ATTACHMENT_COLUMNS.length;
    this.#bytes = Buffer.byteLength(header) + (least > limit ? least : 0);
  }

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

/** How much of a day fits into a workbook. The whole sheet is in memory while it is written. */
export interface WorkbookLimits {
  rows: number;
  /** UTF-16 units of all cells. */
  characters: number;
}

/** The rows of a day's workbook, without its head. */
export class CollectedWorkbook implements CollectedAttachment {
  readonly #limits: WorkbookLimits;
  #rows: WorkbookCell[][] = [];
  #characters = 0;
  isTooBig: boolean;

  /** @param rows the expected number; when they are too many, nothing is kept */
  constructor(rows: number, limits: WorkbookLimits) {
    this.#limits = limits;
    this.isTooBig = rows > limits.rows;
  }

  add(cells: readonly string[]): void {
    if (this.isTooBig) return;
    this.#characters += cells.reduce((sum, { length }) => sum + length, 0);
    this.isTooBig = this.#rows.length === this.#limits.rows || this.#characters > this.#limits.characters;
    if (this.isTooBig) this.#rows = [];
    else
      this.#rows.push(ATTACHMENT_COLUMNS.map(({ holds }, index) => workbookCell(cells[index] ?? '', holds)));
  }

  /** `undefined` when it is too large. */
  rows(): WorkbookCell[][] | undefined {
    return this.isTooBig ? undefined : this.#rows;
  }
}
