import stringWidth from 'fast-string-width';
import { shown } from './shown-text.ts';

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

type Apply = (style: Style, text: string) => string;

function laidOut(cell: Cell, apply: Apply) {
  const { text, style, side, limit } = typeof cell === 'object' ? cell : { text: cell };
  const isNumber = typeof text === 'number';
  const content = isNumber ? text.toLocaleString('en') : shown(text, limit);
  return {
    content: style === undefined ? content : apply(style, content),
    width: stringWidth(content),
    side: side ?? (isNumber ? 'right' : 'left'),
  };
}

/** The heading is first; no rows give no lines. Nothing is between cells, so that it can be cut into columns. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
  apply: Apply,
): string[] {
  const all = rows.map((row) => row.map((cell) => laidOut(cell, apply)));
  const [first] = all;
  if (first === undefined) return [];
  const head = heading.map((text, column) => ({
    ...laidOut({ text, style: 'bold' }, apply),
    side: first[column]?.side ?? 'left',
  }));
  const table = [head, ...all];
  const widths = heading.map((_, column) =>
    table.reduce((widest, row) => Math.max(widest, row[column]?.width ?? 0), 0),
  );
  return table.map((row) => {
    const cells = row.map(({ content, width, side }, column) => {
      const blanks = ' '.repeat((widths[column] ?? 0) - width);
      return side === 'right' ? blanks + content : content + blanks;
    });
    return cells.join('  ').trimEnd();
  });
}
