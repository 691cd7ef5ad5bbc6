import { markdownTable } from 'markdown-table';

export function seconds(milliseconds: number): string {
  const value = milliseconds / 1_000;
  return `${value.toFixed(value < 10 ? 2 : 1)} s`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

export function megabytes(bytes: number): string {
  const value = bytes / 1_048_576;
  return `${value.toFixed(value < 10 ? 1 : 0)} MB`;
}

export interface Table {
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  notes: readonly string[];
}

/** A table in Markdown, padded as Prettier does it. */
export function asMarkdown({ title, head, rows, notes }: Table): string {
  const align = head.map((_, index) => (index === 0 ? '' : 'right'));
  const cells = [head, ...rows].map((row) => [...row]);
  const table = markdownTable(cells, { align, stringLength: (text) => text.length });
  return [`**${title}**`, table, ...notes, ''].join('\n\n');
}

export interface Row {
  measured: string;
  ratio: number;
  /** `undefined` when nothing is promised. */
  bound: { atLeast: number } | { atMost: number } | undefined;
  detail: string;
}

export function verdict({ ratio, bound }: Row): 'holds' | 'DOES NOT HOLD' | '' {
  if (bound === undefined) return '';
  const holds = 'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;
  return holds ? 'holds' : 'DOES NOT HOLD';
}

function boundText({ bound }: Row): string {
  if (bound === undefined) return '';
  return 'atLeast' in bound ? `≥ ${bound.atLeast.toFixed(2)}` : `≤ ${bound.atMost.toFixed(2)}`;
}

export function rowTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.measured,
    row.ratio.toFixed(2),
    boundText(row),
    verdict(row),
    row.detail,
  ]);
  return markdownTable([['measured', 'ratio', 'bound', '', 'from'], ...cells], {
    stringLength: (text) => text.length,
  });
}
