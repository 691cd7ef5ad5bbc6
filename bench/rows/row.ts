import { markdownTable } from 'markdown-table';

/** One line of the table: a ratio of two measurements of this run. */
export interface Row {
  measured: string;
  ratio: number;
  /** `undefined` when nothing is promised. */
  bound: { atLeast: number } | { atMost: number } | undefined;
  detail: string;
}

export const DAY = '2026-11-20';
export const MAX_CONCURRENCY = 16;

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

/** Whether the row keeps its promise, as a word. */
export function verdict({ ratio, bound }: Row): 'holds' | 'DOES NOT HOLD' | '' {
  if (bound === undefined) return '';
  const holds = 'atLeast' in bound ? ratio >= bound.atLeast : ratio <= bound.atMost;
  return holds ? 'holds' : 'DOES NOT HOLD';
}

function boundText({ bound }: Row): string {
  if (bound === undefined) return '';
  return 'atLeast' in bound ? `≥ ${bound.atLeast.toFixed(2)}` : `≤ ${bound.atMost.toFixed(2)}`;
}

/** The rows as one table, in Markdown. */
export function table(rows: readonly Row[]): string {
  const cells = [
    ['measured', 'ratio', 'bound', '', 'from'],
    ...rows.map((row) => [row.measured, row.ratio.toFixed(2), boundText(row), verdict(row), row.detail]),
  ];
  return markdownTable(cells, { stringLength: (text) => text.length });
}
