import type { PageCell, PageTable } from './mail-page.ts';
import { longestWord, wrapping } from './wrapping.ts';

/** Characters. A longer figure may break anywhere, because a phone has no room for it beside others. */
const LONGEST_FIGURE = 13;
/** Of a strong figure, such as a sum, which is wider than all those above it. */
const LONGEST_STRONG = 11;

function cellView({ text, under }: PageCell, strong: boolean) {
  const longest = Math.max(...[text, under ?? ''].map(longestWord));
  return { text, under: under ?? null, breaks: longest > (strong ? LONGEST_STRONG : LONGEST_FIGURE) };
}

function nameView({ text, under }: PageCell) {
  return {
    text,
    under: under ?? null,
    breaks: [text, under ?? ''].some((line) => wrapping(line) === 'anywhere'),
  };
}

function rowView([first, ...values]: readonly PageCell[], strong = false) {
  return {
    first: nameView(first ?? { text: '' }),
    values: values.map((cell) => cellView(cell, strong)),
    weight: strong ? 700 : 400,
  };
}

/** A table of many rows in the form that the template needs. */
export function tableView({ columns, rows }: PageTable) {
  return { head: rowView(columns), rows: rows.map(({ cells, strong }) => rowView(cells, strong)) };
}
