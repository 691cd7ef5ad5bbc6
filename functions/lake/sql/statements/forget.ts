import * as z from 'zod';
import { TABLES } from '#records/revision/manifest.ts';
import type { Table } from '#records/revision/manifest.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';
import { groupTables } from '../groups.ts';
import type { LakeGroup } from '../groups.ts';
import { RECORD_HISTORIES, VIEW_HISTORIES } from '../history-tables.ts';
import type { HistoryTable } from '../history-tables.ts';
import { quotedText } from '../quoting.ts';
import { SNAPSHOT_DAYS, vacuum } from './tables.ts';

const texts = z.array(z.string().trim().min(4).max(320)).max(20).default([]);

/** What only one customer has: mail addresses, telephone numbers, and other texts such as the number of an identity card. */
export const customerSchema = z.lazy(() =>
  z.strictObject({
    emails: texts,
    phones: z
      .array(z.string().regex(/^(?=(\D*\d){6})[+\d ().-]{6,40}$/))
      .max(20)
      .default([]),
    ids: texts,
  }),
);
export type Customer = z.infer<typeof customerSchema>;

/** Who is to be forgotten: a merchant or a customer. */
export const forgottenSchema = z.lazy(() =>
  z.union([z.strictObject({ merchantCode: z.string().regex(MERCHANT_CODE) }), customerSchema]),
);
export type Forgotten = z.infer<typeof forgottenSchema>;

/** The columns that may name a customer or lead to one. The history, the groups' copies and the CSV files call them the same. */
function personalColumns(table: Table): string[] {
  return RECORD_HISTORIES[table].columns.flatMap(({ name, personal = false }) =>
    personal ? [`"${name}"`] : [],
  );
}

/** As a part of a regular expression of Athena and Trino. */
function literally(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}

/** The address, and no longer one that ends or begins with it. */
function patternOfEmail(email: string): string {
  return `(^|[^a-z0-9._%+-])${literally(email.toLowerCase())}($|[^a-z0-9.-]|[.]($|[^a-z0-9]))`;
}

/** The number with any code of a country before it, and with blanks or signs between the digits. */
function patternOfPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, '').replace(/^00/, '');
  const apart = digits.replaceAll(/(?<=\d)(?=\d)/g, '[ ().-]*');
  return `(^|[^0-9])[0-9]{0,5}${apart}($|[^0-9])`;
}

/** The text as words of their own. */
function patternOfId(id: string): string {
  return `(^|[^\\p{L}\\p{N}])${literally(id.toLowerCase())}($|[^\\p{L}\\p{N}])`;
}

/** SQL for "a personal column of the row has the customer". Joined, long columns would be too long. */
function isOfCustomer(table: Table, { emails, phones, ids }: Customer): string {
  const patterns = [
    ...emails.map(patternOfEmail),
    ...phones.map(patternOfPhone),
    ...ids.map(patternOfId),
  ].join('|');
  // Without any pattern, every text would have it.
  if (patterns === '') return 'FALSE';
  const columns = personalColumns(table).join(', ');
  return `any_match(ARRAY[${columns}], c -> regexp_like(lower(c), ${quotedText(patterns)}))`;
}

/**
 * Finds the files that have the customer, of all revisions and of pulls that died. The JSON file of a pull has the rows of its CSV file.
 *
 * One row with `files`: JSON text with the number of rows by the key of each CSV file.
 * @param from the first day to search, `YYYY-MM-DD`; @param to the last one
 */
export function filesOfCustomer(customer: Customer, from: string, to: string): string {
  const days = `"day" BETWEEN ${quotedText(from)} AND ${quotedText(to)}`;
  const search = (table: Table) =>
    `SELECT regexp_extract("$path", '^s3://[^/]+/(.*)$', 1) AS csv FROM ${table}_csv WHERE ${days} AND ${isOfCustomer(table, customer)}`;
  return `SELECT coalesce(json_format(CAST(map_agg(f.csv, f.n) AS json)), '{}') AS files
FROM (
  SELECT r.csv, count(*) AS n
  FROM (
    ${TABLES.map(search).join('\n    UNION ALL ')}
  ) AS r
  GROUP BY r.csv
) AS f`;
}

/** A table of the history or of a group's copy with the statement that forgets. */
interface Forgetting {
  table: HistoryTable;
  condition: string;
  /** Can be repeated. Earlier snapshots of the table still have the rows. */
  sql: string;
}

/**
 * What forgets somebody in the history and in the copies of groups. A merchant's rows are deleted: its objects have to be deleted first,
 * or a merge brings them back. A customer's rows stay without the columns that may name them, so that sums and counts stay.
 * @param database of the lake
 */
export function forgettingOf(
  forgotten: Forgotten,
  database: string,
  groups: readonly LakeGroup[],
): Forgetting[] {
  if ('merchantCode' in forgotten) {
    const condition = `merchant_code = ${quotedText(forgotten.merchantCode)}`;
    return allTables(database, groups).map((table) => ({
      table,
      condition,
      sql: `DELETE FROM ${table.name} WHERE ${condition}`,
    }));
  }
  const copies = groups.filter(({ personal }) => personal).map((group) => groupTables(database, group));
  return TABLES.flatMap((of) => {
    const condition = isOfCustomer(of, forgotten);
    const empty = personalColumns(of).map((column) => `${column} = NULL`);
    return [RECORD_HISTORIES[of], ...copies.map((copy) => copy[of])].map((table) => ({
      table,
      condition,
      sql: `UPDATE ${table.name}\nSET ${empty.join(', ')}\nWHERE ${condition}`,
    }));
  });
}

/** One row with `rows`: JSON text with the number of rows by table that are to be forgotten. */
export function countRows(forgettings: readonly Forgetting[]): string {
  const counts = forgettings.map(
    ({ table: { name }, condition }) =>
      `SELECT ${quotedText(name)} AS what, count(*) AS n FROM ${name} WHERE ${condition}`,
  );
  return `SELECT json_format(CAST(map_agg(t.what, t.n) AS json)) AS "rows"
FROM (
  ${counts.join('\n  UNION ALL ')}
) AS t`;
}

/** The tables with rows of merchants: the history's, and those of the groups' copies. */
export function allTables(database: string, groups: readonly LakeGroup[]): HistoryTable[] {
  return [...VIEW_HISTORIES, ...groups.flatMap((group) => Object.values(groupTables(database, group)))];
}

/**
 * Minutes. No statement of Athena takes longer, so no file that one is writing is as old: VACUUM would take it for a file that nobody
 * needs.
 */
export const REMOVABLE_AFTER = 35;

/** Removes the snapshots from before the forgetting. The age is set back even where a run dies: the next one repeats all three. */
export function removeSnapshots(table: Pick<HistoryTable, 'name'>): string[] {
  const age = (seconds: number) =>
    `ALTER TABLE ${table.name} SET TBLPROPERTIES ('vacuum_max_snapshot_age_seconds' = '${seconds}')`;
  return [age((REMOVABLE_AFTER - 5) * 60), vacuum(table), age(SNAPSHOT_DAYS * 86_400)];
}
