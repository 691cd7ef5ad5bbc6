import type { TrinoRow } from '#sandbox/trino/index.ts';
import { asText } from './as-text.ts';

/** The rows in the order of some columns as text: a query without `ORDER BY` has no order. */
export function sortedRows(rows: readonly TrinoRow[], ...columns: string[]): TrinoRow[] {
  const text = (row: TrinoRow) => columns.map((name) => asText(row[name])).join(' ');
  return rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}
