import type { ViewColumn } from '../lake-view.ts';
import type { HistoryTable } from '../history-tables.ts';

/** Items of a list, one a line. @param indent number of blanks before each */
export function listed(items: readonly string[], indent: number): string {
  return items.map((item) => ' '.repeat(indent) + item).join(',\n');
}

/** A column of a `latest_*` view with the type that the history has. */
export function selected({ name, type, expression }: ViewColumn): string {
  return `${type === 'timestamp(3)' ? `CAST(${expression} AS timestamp(6))` : expression} AS ${quoted(name)}`;
}

/** A column's name. Some of them are words of SQL. */
export function quoted(name: string): string {
  return `"${name}"`;
}

export function insertRow({ columns }: HistoryTable): string {
  const names = columns.map(({ name }) => quoted(name));
  return `INSERT (${names.join(', ')})\n  VALUES (${names.map((name) => `s.${name}`).join(', ')})`;
}

export function updateRow({ columns }: HistoryTable): string {
  return `UPDATE SET ${columns.map(({ name }) => `${quoted(name)} = s.${quoted(name)}`).join(', ')}`;
}
