import { markdownTable } from 'markdown-table';
import { printTable } from '#bin/daybook/terminal/table.ts';

/** A table to show. Its cells are text. */
export interface Table {
  title: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  notes: readonly string[];
}

/** As lines for a terminal. */
export function asText({ title, head, rows, notes }: Table): string[] {
  const cells = rows.map((row) =>
    row.map((text, index) => ({ text, side: index === 0 ? ('left' as const) : ('right' as const) })),
  );
  return [
    title,
    ...printTable(head, cells, (_style, text) => text).map((line) => `  ${line}`),
    ...notes.map((note) => `  ${note}`),
  ];
}

/** As lines of Markdown. The columns are padded as Prettier does it. */
export function asMarkdown({ title, head, rows, notes }: Table): string[] {
  const align = head.map((_, index) => (index === 0 ? '' : 'right'));
  const table = markdownTable([[...head], ...rows.map((row) => [...row])], {
    align,
    stringLength: (text) => text.length,
  });
  return [`**${title}**`, '', ...table.split('\n'), ...notes.flatMap((note) => ['', note])];
}
