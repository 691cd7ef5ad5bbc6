import { groupTables, isOfGroup } from '../lake-group.ts';
import type { GroupTable, GroupTables, LakeGroup } from '../lake-group.ts';

/** Days to merge at once, as {@link lookAtGroup} gives them: `YYYY-MM-DD`, both included, at most six months. */
export interface Window {
  from: string;
  to: string;
}

interface Merge {
  tables: GroupTables;
  group: LakeGroup;
  window: Window;
}

/** SQL for "is a row of the window". The literal range lets Iceberg open only the files of these months. */
function inWindow(alias: string, { from, to }: Window): string {
  return `${alias}.business_date BETWEEN DATE '${from}' AND DATE '${to}'`;
}

/** SQL for the pages of the group's merchants in the history: day, merchant and revision. */
function wanted({ group, window }: Merge): string {
  return `(
    SELECT d.business_date, d.merchant_code, d.revision
    FROM days_history AS d
    WHERE ${inWindow('d', window)} AND ${isOfGroup('d.merchant_code', group)}
  )`;
}

/** SQL for how many rows of each page and revision a table has. */
function pagesOf(table: string, { window }: Merge): string {
  return `(
    SELECT r.business_date, r.merchant_code, r.revision, count(*) AS "rows"
    FROM ${table} AS r
    WHERE ${inWindow('r', window)}
    GROUP BY r.business_date, r.merchant_code, r.revision
  )`;
}

function samePage(one: string, other: string): string {
  return `${one}.business_date = ${other}.business_date AND ${one}.merchant_code = ${other}.merchant_code`;
}

function quoted(names: readonly string[], alias?: string): string {
  return names.map((name) => `${alias === undefined ? '' : `${alias}.`}"${name}"`).join(', ');
}

/**
 * Replaces the pages of a group's table that the history has with another revision, adds those that are missing, and removes those
 * that are not the group's. A page is in the source once with `what = 'remove'`: it matches all its rows and deletes them. New rows
 * have `what = 'insert'`: they never match. So it can be repeated, and no reader sees a page half done.
 */
function mergeRecords(merge: Merge, table: GroupTable): string {
  const { group, window } = merge;
  const target = table.name;
  const names = table.columns.map(({ name }) => name);
  return `MERGE INTO ${target} AS t
USING (
  SELECT 'insert' AS what, ${quoted(names, 'r')}
  FROM ${table.history.name} AS r
  JOIN ${wanted(merge)} AS w ON ${samePage('w', 'r')} AND w.revision = r.revision
  LEFT JOIN ${pagesOf(target, merge)} AS p ON ${samePage('p', 'r')} AND p.revision = r.revision
  WHERE p.revision IS NULL AND ${inWindow('r', window)} AND ${isOfGroup('r.merchant_code', group)}
  UNION ALL
  SELECT 'remove', ${table.columns
    .map(({ name, type }) =>
      ['business_date', 'merchant_code', 'revision'].includes(name) ? `p."${name}"` : `CAST(NULL AS ${type})`,
    )
    .join(', ')}
  FROM ${pagesOf(target, merge)} AS p
  LEFT JOIN ${wanted(merge)} AS w ON ${samePage('w', 'p')} AND w.revision = p.revision
  WHERE w.revision IS NULL
) AS s
ON s.what = 'remove' AND ${samePage('t', 's')} AND t.revision = s.revision AND ${inWindow('t', window)}
WHEN MATCHED THEN DELETE
WHEN NOT MATCHED AND s.what = 'insert' THEN INSERT (${quoted(names)})
  VALUES (${quoted(names, 's')})`;
}

/** SQL for "the group has as many rows of the page `h` as the history, and the history has no other revision of it". */
function isCopied(merge: Merge, table: GroupTable): string {
  return `NOT EXISTS (
      SELECT 1
      FROM ${pagesOf(table.history.name, merge)} AS a
      LEFT JOIN ${pagesOf(table.name, merge)} AS b ON ${samePage('b', 'a')} AND b.revision = a.revision
      WHERE ${samePage('a', 'h')} AND (a.revision <> h.revision OR b."rows" IS NULL OR b."rows" <> a."rows")
    )`;
}

/** Brings in the figures of the pages whose rows are all there, and removes those of pages that are not the group's. */
function mergeDays(merge: Merge): string {
  const { tables, group, window } = merge;
  const { invoices, refunds, days } = tables;
  const target = days.name;
  const names = days.columns.map(({ name }) => name);
  const page = ['business_date', 'merchant_code'];
  return `MERGE INTO ${target} AS t
USING (
  SELECT 'page' AS what, ${quoted(names, 'h')}
  FROM days_history AS h
  WHERE ${inWindow('h', window)} AND ${isOfGroup('h.merchant_code', group)}
    AND ${isCopied(merge, invoices)}
    AND ${isCopied(merge, refunds)}
  UNION ALL
  SELECT 'remove', ${days.columns
    .map(({ name, type }) => (page.includes(name) ? `g."${name}"` : `CAST(NULL AS ${type})`))
    .join(', ')}
  FROM ${target} AS g
  LEFT JOIN ${wanted(merge)} AS w ON ${samePage('w', 'g')}
  WHERE w.revision IS NULL AND ${inWindow('g', window)}
) AS s
ON ${samePage('t', 's')} AND ${inWindow('t', window)}
WHEN MATCHED AND s.what = 'remove' THEN DELETE
WHEN MATCHED AND t.revision <> s.revision THEN UPDATE SET ${names
    .map((name) => `"${name}" = s."${name}"`)
    .join(', ')}
WHEN NOT MATCHED AND s.what = 'page' THEN INSERT (${quoted(names)})
  VALUES (${quoted(names, 's')})`;
}

/**
 * The statements that bring some months of a group's copy up to the history, in this order: the rows, then the figures. Each is
 * atomic and can be repeated.
 */
export function mergeGroup(databaseName: string, group: LakeGroup, window: Window): string[] {
  const tables = groupTables(databaseName, group);
  const merge = { tables, group, window };
  return [mergeRecords(merge, tables.invoices), mergeRecords(merge, tables.refunds), mergeDays(merge)];
}
