import type { DocumentSection } from './document.ts';
import { inLines, COLOURS, STYLES } from './sheet.ts';
import type { Element, Printed, Sheet, TextStyle } from './sheet.ts';

/** Points. */
interface ColumnNeed {
  /** For its longest cell on one line. */
  natural: number;
  /** For what no line of it may break. */
  least: number;
}

const NARROWEST = 12;

function haveRoom(columns: readonly ColumnNeed[], width: number): boolean {
  return columns.reduce((sum, { least }) => sum + least, 0) <= width;
}

/** Each column gets its least, then what its longest cell needs as far as there is room, then an even share. */
function columnWidths(columns: readonly ColumnNeed[], width: number): number[] {
  const sumOf = (need: keyof ColumnNeed) => columns.reduce((sum, column) => sum + column[need], 0);
  const [least, natural] = [sumOf('least'), sumOf('natural')];
  if (least > width) return columns.map((column) => Math.max(NARROWEST, (column.least * width) / least));
  if (natural <= width) {
    const rest = (width - natural) / columns.length;
    return columns.map((column) => column.natural + rest);
  }
  const share = (width - least) / (natural - least);
  return columns.map((column) => column.least + (column.natural - column.least) * share);
}

/** The most UTF-16 units of a cell. */
const LONGEST_CELL = 300;
/** Points. A table that has no room in one size is printed in the next. */
const SIZES = [9, 8, 7, 6] as const;
const SMALLEST = 6;
/** Points, inside a cell. */
const PADDING = { side: 4, above: 3, below: 3 } as const;
const THIN = 0.5;
const THICK = 1;
/** No part of a cell makes its column wider than this share of the table. */
const LARGEST_SHARE = 0.4;

interface PrintedRow {
  cells: readonly Printed[];
  height: number;
}

/**
 * A table over as many pages as it needs, with its heads on each. Rows are measured first and printed one at
 * a time, so that a long table takes no more memory than its rows.
 */
export class Table {
  readonly #sheet: Sheet;
  readonly #section: DocumentSection;
  readonly #size: number;
  readonly #widths: readonly number[];
  /** What the longest cell of each column needs, without padding. */
  readonly #longest: readonly number[];
  readonly #head: PrintedRow;
  readonly #total: PrintedRow | undefined;

  constructor(sheet: Sheet, section: DocumentSection) {
    this.#sheet = sheet;
    this.#section = section;
    const needs = needsOf(sheet, section);
    this.#size = SIZES.find((size) => haveRoom(inPoints(needs, size, sheet.width), sheet.width)) ?? SMALLEST;
    this.#widths = columnWidths(inPoints(needs, this.#size, sheet.width), sheet.width);
    this.#longest = needs.map(({ natural }) => natural * this.#size);
    const heads = section.columns.map(({ head }) => head);
    this.#head = this.#printed(heads, STYLES.tableHead);
    this.#total = section.total && this.#printed(section.total, STYLES.tableTotal);
  }

  /** Points that must be free where the table begins: for its heads and its first row. */
  get beginning(): number {
    const [first] = this.#section.rows;
    const row = first === undefined ? this.#total : this.#printed(first, STYLES.tableCell);
    return this.#head.height + (row?.height ?? 0);
  }

  print(parent: Element): void {
    const table = this.#sheet.element('Table', parent);
    const head = this.#sheet.element('THead', table);
    this.#printHead(head);
    head.end();
    if (this.#section.rows.length > 0) this.#printBody(this.#sheet.element('TBody', table));
    if (this.#total !== undefined) {
      const foot = this.#sheet.element('TFoot', table);
      this.#makeRoom(this.#total.height);
      this.#line(COLOURS.strongLine, THICK);
      this.#printRow(this.#total, foot);
      foot.end();
    }
    table.end();
  }

  #printBody(body: Element): void {
    const { rows } = this.#section;
    for (const [index, cells] of rows.entries()) {
      const row = this.#printed(cells, STYLES.tableCell);
      // The total does not stand alone on a page.
      const total = index === rows.length - 1 ? (this.#total?.height ?? 0) : 0;
      this.#makeRoom(row.height + total);
      this.#printRow(row, body);
      this.#line(COLOURS.line, THIN);
    }
    body.end();
  }

  #printed(texts: readonly string[], style: TextStyle): PrintedRow {
    const cells = this.#widths.map((width, index) => {
      const cell = this.#sheet.paragraph(texts[index] ?? '', style, LONGEST_CELL);
      return inLines(cell, { ...style, size: this.#size }, width - 2 * PADDING.side);
    });
    const text = Math.max(0, ...cells.map(({ height }) => height));
    return { cells, height: text + PADDING.above + PADDING.below };
  }

  #makeRoom(height: number): void {
    if (this.#sheet.makeRoom(height)) this.#printHead(null);
  }

  /** @param parent null where the heads are repeated */
  #printHead(parent: Element | null): void {
    const { y, width } = this.#sheet;
    this.#sheet.fill({ x: 0, y, width, height: this.#head.height }, COLOURS.box);
    this.#printRow(this.#head, parent, true);
    this.#line(COLOURS.strongLine, THIN);
  }

  /** @param parent null where the row repeats another */
  #printRow({ cells, height }: PrintedRow, parent: Element | null, isHead = false): void {
    const sheet = this.#sheet;
    const row = parent && sheet.element('TR', parent);
    let x = 0;
    for (const [index, cell] of cells.entries()) {
      const { align, ...across } = this.#placeOf(index, x);
      const box = { ...across, y: sheet.y + PADDING.above };
      if (row === null) sheet.repeatedText(cell, box, align);
      else if (isHead) sheet.text(cell, 'TH', box, { parent: row, align, scope: 'Column' });
      else sheet.text(cell, 'TD', box, { parent: row, align });
      x += this.#widths[index] ?? 0;
    }
    row?.end();
    sheet.y += height;
  }

  /**
   * Digits are written from the left in every language, so last digits are below each other. Right to left,
   * the longest amount begins at the end side, and the others end where it ends.
   */
  #placeOf(column: number, x: number): { x: number; width: number; align: 'start' | 'end' } {
    const width = (this.#widths[column] ?? 0) - 2 * PADDING.side;
    const align = this.#section.columns[column]?.align ?? 'start';
    if (align === 'start' || this.#sheet.direction === 'ltr') return { x: x + PADDING.side, width, align };
    const longest = Math.min(width, this.#longest[column] ?? 0);
    return { x: x + PADDING.side + width - longest, width: longest, align: 'start' };
  }

  #line(colour: string, height: number): void {
    this.#sheet.fill({ x: 0, y: this.#sheet.y - height / 2, width: this.#sheet.width, height }, colour);
  }
}

/** In the size 1 and without padding. Amounts, which are at the end side, are not broken. */
function needsOf(sheet: Sheet, { columns, rows, total = [] }: DocumentSection): ColumnNeed[] {
  return columns.map(({ head, align }, index) => {
    const need = { natural: 0, least: 0 };
    const measure = (text: string | undefined, style: TextStyle) => {
      const cell = sheet.paragraph(text ?? '', style, LONGEST_CELL);
      need.natural = Math.max(need.natural, cell.width);
      if (cell.width <= need.least) return;
      need.least = Math.max(need.least, align === 'end' ? cell.width : cell.longestPart);
    };
    measure(head, STYLES.tableHead);
    for (const row of rows) measure(row[index], STYLES.tableCell);
    measure(total[index], STYLES.tableTotal);
    return need;
  });
}

function inPoints(needs: readonly ColumnNeed[], size: number, width: number): ColumnNeed[] {
  const points = (need: number, most: number) => Math.min(need * size, most) + 2 * PADDING.side;
  return needs.map(({ natural, least }) => ({
    natural: points(natural, width),
    least: points(least, LARGEST_SHARE * width),
  }));
}
