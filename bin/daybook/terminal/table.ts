import Table from 'cli-table3';
import { shown } from './shown-text.ts';
import type { Style } from './style.ts';

/** The content of a cell. Numbers are aligned to the right. */
export type Cell = string | number | { text: string | number; style?: Style; side?: 'left' | 'right' };

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
  const { text, style, side } = typeof cell === 'object' ? cell : { text: cell };
  const content = typeof text === 'number' ? text.toLocaleString('en') : shown(text);
  return {
    content: style === undefined ? content : apply(style, content),
    hAlign: side ?? (typeof text === 'number' ? ('right' as const) : ('left' as const)),
  };
}

/** The lines of a table, heading first. No rows give no lines. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  apply: Apply,
): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const table = new Table({
    chars: NO_LINES,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(
    heading.map((text, index) => ({
      content: apply('bold', text),
      hAlign: laidOut(first[index] ?? '', apply).hAlign,
    })),
    ...rows.map((row) => row.map((cell) => laidOut(cell, apply))),
  );
  return table
    .toString()
    .split('\n')
    .map((text) => text.trimEnd());
}
