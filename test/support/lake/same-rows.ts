import type { TrinoValue, TrinoRow } from '#sandbox/trino/index.ts';
import { VIEW_HISTORIES } from '#lake/sql/history-tables.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import type { HistoryLake } from './history-lake.ts';

/** A value of an answer as text; what is text already stays as it is. */
export function asText(value: TrinoValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The rows in the order of some columns as text: a query without `ORDER BY` has no order. */
export function sortedRows(rows: readonly TrinoRow[], ...columns: string[]): TrinoRow[] {
  const text = (row: TrinoRow) => columns.map((name) => asText(row[name])).join(' ');
  return rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** Rows that one of two tables, views or queries in brackets has more often, with the count. None: they are equal. */
export async function differing(
  lake: Pick<HistoryLake, 'query'>,
  columns: readonly string[],
  [left, right]: readonly [string, string],
): Promise<TrinoRow[]> {
  const list = columns.map((name) => `"${name}"`).join(', ');
  return lake.query(`SELECT ${list}, sum(n) AS more_on_the_left
    FROM (SELECT ${list}, 1 AS n FROM ${left} UNION ALL SELECT ${list}, -1 FROM ${right})
    GROUP BY ${list}
    HAVING sum(n) <> 0
    LIMIT 5`);
}

/** Every table of the history has the rows of its `latest_*` view, and each as often. */
export async function expectHistoryIsLatest(lake: HistoryLake): Promise<void> {
  for (const { name, columns, latest } of VIEW_HISTORIES) {
    const names = columns.map((column) => column.name);
    expect(await differing(lake, names, [name, latest.name]), name).toEqual([]);
  }
}

/** Views over all time have the rows of their `latest_*` views, and each as often. */
export async function expectAllIsLatest(
  lake: HistoryLake,
  views: readonly string[] = ALL_VIEWS.map(({ name }) => name),
): Promise<void> {
  for (const { name, columns, history } of ALL_VIEWS) {
    if (!views.includes(name)) continue;
    const names = columns.map((column) => column.name);
    expect(await differing(lake, names, [name, history.latest.name]), name).toEqual([]);
  }
}

/** Rows of a page in `days_history` have its revision or a newer one. If they have its revision, all are there. */
export async function expectDaysAreNotAhead(lake: HistoryLake): Promise<void> {
  for (const [table, rows] of [
    ['invoices_history', 'invoice_rows'],
    ['refunds_history', 'refund_rows'],
  ]) {
    const ahead =
      await lake.query(`SELECT d.day, d.merchant_code, d.revision, d.${rows}, r.oldest, r.newest, r.n
      FROM days_history AS d
      JOIN latest_days AS l ON l.day = d.day AND l.merchant_code = d.merchant_code
      LEFT JOIN (
        SELECT day, merchant_code, count(*) AS n, min(revision) AS oldest, max(revision) AS newest
        FROM ${table} GROUP BY day, merchant_code
      ) AS r ON r.day = d.day AND r.merchant_code = d.merchant_code
      WHERE r.oldest < d.revision
        OR (r.newest = d.revision AND r.n <> d.${rows})
        -- Rows may be gone only because a newer revision has none.
        OR (r.n IS NULL AND d.${rows} > 0 AND (l.revision = d.revision OR l.${rows} > 0))`);
    expect(ahead, table).toEqual([]);
  }
}
