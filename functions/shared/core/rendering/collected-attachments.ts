import { ATTACHMENT_COLUMNS } from './attachment-columns.ts';
import { csvRow } from './attachment-csv.ts';
import { workbookCell } from './workbook-cell.ts';
import type { WorkbookCell } from './workbook-cell.ts';

/** Takes the invoices of a day, as `attachmentCells` shows them, until it has more than may be attached. */
export interface CollectedAttachment {
  /** Whether it was too much: it has given up what it had, and what is added does not matter any more. */
  readonly isTooBig: boolean;
  add(cells: readonly string[]): void;
}

/** The CSV of a day, never more of it than the limit. */
export class CollectedCsv implements CollectedAttachment {
  readonly #limit: number;
  #chunks: Buffer[];
  #bytes: number;

  /** @param header of `csvHeader` @param limit bytes; in the mail it takes 4/3 of that */
  constructor(header: string, limit: number) {
    this.#limit = limit;
    this.#chunks = [Buffer.from(header)];
    this.#bytes = Buffer.byteLength(header);
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

  /** `undefined` when it is too big. */
  content(): Buffer | undefined {
    return this.isTooBig ? undefined : Buffer.concat(this.#chunks);
  }
}

/** How much of a day fits into a workbook, whose sheet is held in memory as a whole while it is written. */
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
  isTooBig = false;

  constructor(limits: WorkbookLimits) {
    this.#limits = limits;
  }

  add(cells: readonly string[]): void {
    if (this.isTooBig) return;
    this.#characters += cells.reduce((sum, { length }) => sum + length, 0);
    this.isTooBig = this.#rows.length === this.#limits.rows || this.#characters > this.#limits.characters;
    if (this.isTooBig) this.#rows = [];
    else
      this.#rows.push(ATTACHMENT_COLUMNS.map(({ holds }, index) => workbookCell(cells[index] ?? '', holds)));
  }

  /** `undefined` when it is too big. */
  rows(): WorkbookCell[][] | undefined {
    return this.isTooBig ? undefined : this.#rows;
  }
}
