import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import { shown } from './shown-text.ts';

/** The style of a piece of text, where there is colour. */
export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan';

/** The content of a cell. Numbers are aligned to the right, and have commas between thousands. */
export type Cell =
  | string
  | number
  | {
      text: string | number;
      style?: Style;
      side?: 'left' | 'right';
      /** The most UTF-16 units that are shown. Default: 200. */
      limit?: number;
    };

/** No lines between cells: output of other programs looks like this, and it can be cut into columns. */
const NO_LINES = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

type Apply = (style: Style, text: string) => string;

function laidOut(cell: Cell, apply: Apply) {
  const { text, style, side, limit } = typeof cell === 'object' ? cell : { text: cell };
  const content = typeof text === 'number' ? text.toLocaleString('en') : shown(text, limit);
  return {
    content: style === undefined ? content : apply(style, content),
    hAlign: side ?? (typeof text === 'number' ? ('right' as const) : ('left' as const)),
  };
}

/** The library takes a quarter of a millisecond for a row, and more when a table is long. */
const ROWS_AT_ONCE = 100;
/** Between cells where widths are measured. `shown` lets none through. */
const SEPARATOR = '\u0000';

type LaidOutCell = ReturnType<typeof laidOut>;

function linesOf(rows: readonly LaidOutCell[][], middle: string, colWidths?: number[]): string[] {
  const table = new Table({
    chars: { ...NO_LINES, middle },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    ...(colWidths !== undefined && { colWidths }),
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().split('\n');
}

function inParts<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / ROWS_AT_ONCE);
  return Array.from({ length: count }, (_, part) =>
    items.slice(part * ROWS_AT_ONCE, (part + 1) * ROWS_AT_ONCE),
  );
}

/** The lengths of cells of ASCII, `undefined` when another character makes the library count. */
function plainWidths(row: readonly LaidOutCell[]): number[] | undefined {
  const texts = row.map(({ content }) => stripVTControlCharacters(content));
  return texts.every((text) => /^[ -~]*$/.test(text)) ? texts.map(({ length }) => length) : undefined;
}

/** The widths of columns as the library counts them. The heading shows them: it is in ASCII. */
function countedWidths(heading: readonly LaidOutCell[], rows: readonly LaidOutCell[][]): number[] {
  const [first = ''] = linesOf([[...heading], ...rows], SEPARATOR);
  return stripVTControlCharacters(first)
    .split(SEPARATOR)
    .map(({ length }) => length);
}

function paddedLine(row: readonly LaidOutCell[], own: readonly number[], widths: readonly number[]): string {
  const cells = row.map(({ content, hAlign }, column) => {
    const blanks = ' '.repeat((widths[column] ?? 0) - (own[column] ?? 0));
    return hAlign === 'right' ? blanks + content : content + blanks;
  });
  return cells.join(NO_LINES.middle);
}

/** The lines of a long table. Rows of ASCII are laid out here, and the others by the library. */
function longTable(heading: readonly LaidOutCell[], rows: readonly LaidOutCell[][]): string[] {
  const all = [[...heading], ...rows].map((row) => ({ row, own: plainWidths(row) }));
  const others = all.filter(({ own }) => own === undefined).map(({ row }) => row);
  const parts = inParts(others);
  const known = [
    ...all.flatMap(({ own }) => (own === undefined ? [] : [own])),
    ...parts.map((part) => countedWidths(heading, part)),
  ];
  const widths = heading.map((_, column) =>
    known.reduce((widest, own) => Math.max(widest, own[column] ?? 0), 0),
  );
  const laid = parts.flatMap((part) => linesOf(part, NO_LINES.middle, widths)).values();
  return all.map(({ row, own }) =>
    own === undefined ? (laid.next().value ?? '') : paddedLine(row, own, widths),
  );
}

/** The lines of a table, heading first. The heading is in ASCII. No rows give no lines. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  apply: Apply,
): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const head = heading.map((text, index) => ({
    content: apply('bold', text),
    hAlign: laidOut(first[index] ?? '', apply).hAlign,
  }));
  const all = rows.map((row) => row.map((cell) => laidOut(cell, apply)));
  const lines = all.length < ROWS_AT_ONCE ? linesOf([head, ...all], NO_LINES.middle) : longTable(head, all);
  return lines.map((text) => text.trimEnd());
}
