import { DAYS_HISTORY, INVOICES_HISTORY, REFUNDS_HISTORY } from './history-tables.ts';
import type { HistoryTable } from './history-tables.ts';
import { lakeWorkGroup } from './lake-database.ts';
import type { AnswerFolder } from './lake-database.ts';
import { plainName, quotedText, quotedTexts } from './quoting.ts';
import { insertRow, quoted, updateRow } from './statements/columns.ts';
import { createTable } from './statements/tables.ts';

/** People who may see some merchants only, or no customers' data. They query their own copy of the history. */
export interface LakeGroup {
  /** Small letters, digits and `_`. */
  name: string;
  /** Codes, or every merchant. */
  merchants: readonly string[] | 'all';
  /** Whether the copy has the columns with customers' data. */
  personal: boolean;
}

/** Its name has the group's database before it, so that the statements of the history's tables are valid for it. */
export interface GroupTable extends HistoryTable {
  short: string;
  history: HistoryTable;
  prefix: string;
}

export type GroupTables = Record<'invoices' | 'refunds' | 'days', GroupTable>;

/** The database of a group. @param databaseName of the lake */
export function groupDatabase(databaseName: string, { name }: LakeGroup): string {
  return plainName(`${databaseName}_${name}`);
}

/** The name of a group in names of resources and outputs, such as `GroupNorthEast`. */
export function groupResource({ name }: LakeGroup): string {
  const words = name.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return `Group${words.join('')}`;
}

/** The workgroup of a group. @param databaseName of the lake */
export function groupWorkGroup(databaseName: string, group: LakeGroup): string {
  return lakeWorkGroup(groupDatabase(databaseName, group));
}

export function groupPrefix({ name }: LakeGroup): string {
  return `lake/group=${name}/`;
}

export function groupAnswers({ name }: LakeGroup): AnswerFolder {
  return `groups/${name}/`;
}

/** The tables of a group's copy. @param databaseName of the lake */
export function groupTables(databaseName: string, group: LakeGroup): GroupTables {
  const copy = (short: string, history: HistoryTable): GroupTable => ({
    ...history,
    name: `${groupDatabase(databaseName, group)}.${short}`,
    short,
    columns: history.columns.filter(({ personal = false }) => group.personal || !personal),
    history,
    prefix: `${groupPrefix(group)}${short}/`,
  });
  return {
    invoices: copy('invoices', INVOICES_HISTORY),
    refunds: copy('refunds', REFUNDS_HISTORY),
    days: copy('days', DAYS_HISTORY),
  };
}

/** SQL for "is a row of one of the group's merchants". */
function isOfGroup(column: string, { merchants }: LakeGroup): string {
  if (merchants === 'all') return 'TRUE';
  return `${column} IN (${quotedTexts(merchants)})`;
}

/** Makes tables that are not there. The database has to be. `databaseName`: of the lake. `bucketUrl`: `s3://bucket/` */
export function createGroupTables(databaseName: string, group: LakeGroup, bucketUrl: string): string[] {
  const database = groupDatabase(databaseName, group);
  return Object.values(groupTables(databaseName, group)).map(({ short, prefix, ...table }) =>
    createTable({ ...table, name: short }, { database, location: bucketUrl + prefix }),
  );
}

/** The most months that are merged at once: 6 months of 16 buckets are 96 partitions, and Athena opens at most 100. */
const MOST_MONTHS = 6;

/**
 * Finds the days where a group's copy differs from the history: new and corrected days, merchants that joined or left the group,
 * and whatever an earlier run did not finish. It reads the figures of the days only, over all time.
 *
 * One row with one column `windows`: JSON text such as `[{"from":"2026-07-01","to":"2026-11-30"}]`, at most
 * {@link MOST_MONTHS} months each.
 */
export function lookAtGroup(databaseName: string, group: LakeGroup): string {
  const { days } = groupTables(databaseName, group);
  return `SELECT coalesce(
  json_format(CAST(array_agg(MAP(ARRAY['from', 'to'], ARRAY[w.first_day, w.last_day]) ORDER BY w.first_day) AS json)),
  '[]'
) AS windows
FROM (
  SELECT
    CAST(min(m.month) AS varchar) AS first_day,
    CAST(date_add('day', -1, date_add('month', 1, max(m.month))) AS varchar) AS last_day
  FROM (
    SELECT DISTINCT date_trunc('month', coalesce(h.business_date, g.business_date)) AS month
    FROM (SELECT * FROM days_history WHERE ${isOfGroup('merchant_code', group)}) AS h
    FULL OUTER JOIN ${days.name} AS g
      ON g.business_date = h.business_date AND g.merchant_code = h.merchant_code AND g.revision = h.revision
    WHERE h.revision IS NULL OR g.revision IS NULL
  ) AS m
  GROUP BY (year(m.month) * 12 + month(m.month) - 1) / ${MOST_MONTHS}
) AS w`;
}

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
  return `${alias}.business_date BETWEEN DATE ${quotedText(from)} AND DATE ${quotedText(to)}`;
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
function pagesOf({ name }: HistoryTable, { window }: Merge): string {
  return `(
    SELECT r.business_date, r.merchant_code, r.revision, count(*) AS "rows"
    FROM ${name} AS r
    WHERE ${inWindow('r', window)}
    GROUP BY r.business_date, r.merchant_code, r.revision
  )`;
}

function samePage(one: string, other: string): string {
  return `${one}.business_date = ${other}.business_date AND ${one}.merchant_code = ${other}.merchant_code`;
}

/** SQL for all columns of a table's row. */
function whole({ columns }: HistoryTable, alias: string): string {
  return columns.map(({ name }) => `${alias}.${quoted(name)}`).join(', ');
}

/** SQL for a row that says which page it is of, and nothing else. */
function page({ columns }: HistoryTable, alias: string, named: readonly string[]): string {
  return columns
    .map(({ name, type }) => (named.includes(name) ? `${alias}.${quoted(name)}` : `CAST(NULL AS ${type})`))
    .join(', ');
}

/**
 * Replaces the pages of a group's table that the history has with another revision, adds those that are missing, and removes those
 * that are not the group's. A page is in the source once with `what = 'remove'`: it matches all its rows and deletes them. New rows
 * have `what = 'insert'`: they never match. So it can be repeated, and no reader sees a page half done.
 */
function mergeRecords(merge: Merge, table: GroupTable): string {
  const { group, window } = merge;
  return `MERGE INTO ${table.name} AS t
USING (
  SELECT 'insert' AS what, ${whole(table, 'r')}
  FROM ${table.history.name} AS r
  JOIN ${wanted(merge)} AS w ON ${samePage('w', 'r')} AND w.revision = r.revision
  LEFT JOIN ${pagesOf(table, merge)} AS p ON ${samePage('p', 'r')} AND p.revision = r.revision
  WHERE p.revision IS NULL AND ${inWindow('r', window)} AND ${isOfGroup('r.merchant_code', group)}
  UNION ALL
  SELECT 'remove', ${page(table, 'p', ['business_date', 'merchant_code', 'revision'])}
  FROM ${pagesOf(table, merge)} AS p
  LEFT JOIN ${wanted(merge)} AS w ON ${samePage('w', 'p')} AND w.revision = p.revision
  WHERE w.revision IS NULL
) AS s
ON s.what = 'remove' AND ${samePage('t', 's')} AND t.revision = s.revision AND ${inWindow('t', window)}
WHEN MATCHED THEN DELETE
WHEN NOT MATCHED AND s.what = 'insert' THEN ${insertRow(table)}`;
}

/** SQL for "the group has as many rows of the page `h` as the history, and the history has no other revision of it". */
function isCopied(merge: Merge, table: GroupTable): string {
  return `NOT EXISTS (
      SELECT 1
      FROM ${pagesOf(table.history, merge)} AS a
      LEFT JOIN ${pagesOf(table, merge)} AS b ON ${samePage('b', 'a')} AND b.revision = a.revision
      WHERE ${samePage('a', 'h')} AND (a.revision <> h.revision OR b."rows" IS NULL OR b."rows" <> a."rows")
    )`;
}

/** Brings in the figures of the pages whose rows are all there, and removes those of pages that are not the group's. */
function mergeDays(merge: Merge): string {
  const { tables, group, window } = merge;
  const { invoices, refunds, days } = tables;
  return `MERGE INTO ${days.name} AS t
USING (
  SELECT 'page' AS what, ${whole(days, 'h')}
  FROM days_history AS h
  WHERE ${inWindow('h', window)} AND ${isOfGroup('h.merchant_code', group)}
    AND ${isCopied(merge, invoices)}
    AND ${isCopied(merge, refunds)}
  UNION ALL
  SELECT 'remove', ${page(days, 'g', ['business_date', 'merchant_code'])}
  FROM ${days.name} AS g
  LEFT JOIN ${wanted(merge)} AS w ON ${samePage('w', 'g')}
  WHERE w.revision IS NULL AND ${inWindow('g', window)}
) AS s
ON ${samePage('t', 's')} AND ${inWindow('t', window)}
WHEN MATCHED AND s.what = 'remove' THEN DELETE
WHEN MATCHED AND t.revision <> s.revision THEN ${updateRow(days)}
WHEN NOT MATCHED AND s.what = 'page' THEN ${insertRow(days)}`;
}

/** Brings some months of a copy up to the history: the rows, then the figures. Each is atomic and can be repeated. */
export function mergeGroup(databaseName: string, group: LakeGroup, window: Window): string[] {
  const tables = groupTables(databaseName, group);
  const merge = { tables, group, window };
  return [mergeRecords(merge, tables.invoices), mergeRecords(merge, tables.refunds), mergeDays(merge)];
}
