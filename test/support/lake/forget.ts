import { TABLES, type Table } from '#records/revision/manifest.ts';
import {
  INVOICES_HISTORY,
  RECORD_HISTORIES,
  REFUNDS_HISTORY,
  DAYS_HISTORY,
  MAIL_HISTORY,
} from '#lake/sql/history-tables.ts';
import type { HistoryTable } from '#lake/sql/history-tables.ts';
import { objectKey } from '#lake/sql/sealed-files.ts';
import { quotedText } from '#lake/sql/quoting.ts';
import { GROUP_PAGES } from '#lib/lake/tables.ts';
import { periodName } from '#lake/sql/views/columns.ts';
import { SNAPSHOT_DAYS, optimize } from '#lake/sql/statements/tables.ts';

/** The columns that may name a customer or lead to one. The history, the views and the CSV files call them the same. */
function personalColumns(table: Table): string[] {
  return RECORD_HISTORIES[table].columns.flatMap(({ name, personal = false }) => (personal ? [name] : []));
}

/** SQL for "a personal column of the row contains the text". Upper and lower case are the same. Joined, long columns would be too long. */
function names(table: Table, text: string): string {
  const columns = personalColumns(table).map((name) => `"${name}"`);
  return `any_match(ARRAY[${columns.join(', ')}], c -> strpos(lower(c), lower(${quotedText(text)})) > 0)`;
}

/** A customer, by a text that identifies them, such as their mail address or phone number. */
interface Customer {
  text: string;
}

/**
 * Finds every file that holds the customer, of all revisions and of crashed pulls. The JSON file and the CSV file of a pull have the same
 * rows, so the CSV files, which have a column for each value, are searched for both.
 *
 * One row for each pull: day, merchant, the ids of the rows, and the keys of its CSV and JSON file.
 *
 * @param from the first day to search, `YYYY-MM-DD`
 */
export function findCustomer({ text, from }: Customer & { from: string }): string {
  const search = (
    table: Table,
  ) => `  SELECT "day", "id", regexp_extract("$path", '^s3://[^/]+/(.*)$', 1) AS csv
  FROM ${table}_csv
  WHERE "day" >= ${quotedText(from)} AND ${names(table, text)}`;
  return `SELECT
  "day",
  regexp_extract(csv, '/merchant=([^/]+)/', 1) AS merchant_code,
  array_join(array_agg("id" ORDER BY "id"), ' ') AS ids,
  csv,
  replace(replace(csv, '/csv/', '/json/'), '.csv.gz', '.jsonl.gz') AS json
FROM (
${TABLES.map(search).join('\n  UNION ALL\n')}
)
GROUP BY "day", csv
ORDER BY "day", csv`;
}

/** Finds the customer in the history: one row for each invoice or refund. */
export function findCustomerInHistory({ text }: Customer): string {
  const search = (table: Table) => `SELECT '${table}' AS what, "day", merchant_code, revision, "id"
FROM ${RECORD_HISTORIES[table].name}
WHERE ${names(table, text)}`;
  return `${TABLES.map(search).join('\nUNION ALL\n')}
ORDER BY 1, 2, 3, 5`;
}

/**
 * Takes the customer out of the history: the columns that may name the customer become null in the customer's rows. The rows stay, so sums and counts stay.
 *
 * @param table of the history, or of a group with `personal: true`
 */
export function eraseCustomer({ text, of, table }: Customer & { of: Table; table: string }): string {
  const empty = personalColumns(of).map((name) => `"${name}" = NULL`);
  return `UPDATE ${table}
SET ${empty.join(', ')}
WHERE ${names(of, text)}`;
}

/** The tables of the history with rows of merchants. */
export const OF_MERCHANTS: readonly HistoryTable[] = [
  DAYS_HISTORY,
  INVOICES_HISTORY,
  REFUNDS_HISTORY,
  MAIL_HISTORY,
];

/** Deletes a merchant's rows from the history. Delete the merchant's objects first: otherwise a merge brings the rows back. */
export function eraseMerchant(merchantCode: string): string[] {
  return OF_MERCHANTS.map(
    ({ name }) => `DELETE FROM ${name} WHERE merchant_code = ${quotedText(merchantCode)}`,
  );
}

/** Counts what the history has of a merchant: one row for each table that has something. */
export function findMerchant(merchantCode: string): string {
  return OF_MERCHANTS.map(
    ({ name }) => `SELECT '${name}' AS what, count(*) AS "rows"
FROM ${name}
WHERE merchant_code = ${quotedText(merchantCode)}
HAVING count(*) > 0`,
  ).join('\nUNION ALL\n');
}

/**
 * Finds the groups' pages that have a merchant: as a row, as missing, or as corrected. All revisions. The rows of other merchants and
 * the sums are in the same object, so it can only be deleted as a whole.
 *
 * One row for each page: group, period, revision, and the key of the object.
 */
export function findMerchantInGroups(merchantCode: string): string {
  const named = quotedText(`"${merchantCode}"`);
  return `SELECT "group" AS group_name, ${periodName()} AS period, revision, ${objectKey(GROUP_PAGES.name)} AS key
FROM ${GROUP_PAGES.name}
WHERE any_match(merchants, m -> m.merchantcode = ${quotedText(merchantCode)})
  OR strpos(missing, ${named}) > 0
  OR strpos(corrections, ${named}) > 0
ORDER BY 1, 2, 3`;
}

type Named = Pick<HistoryTable, 'name'>;

/**
 * Makes deleted rows unreadable in Athena now, without waiting for the weekly run: rewrites the files that have them, and removes the
 * old snapshots with their files. OPTIMIZE and VACUUM may have to be repeated.
 */
export function expireNow(table: Named): string[] {
  const { name } = table;
  const age = (seconds: number) =>
    `ALTER TABLE ${name} SET TBLPROPERTIES ('vacuum_max_snapshot_age_seconds' = '${seconds}')`;
  return [optimize(table, 'athena'), age(60), `VACUUM ${name}`, age(SNAPSHOT_DAYS * 86_400)];
}

/** The same in Trino. @param table in the catalog of Iceberg, which must allow that no snapshot is kept */
export function expireNowInTrino(table: Named): string[] {
  const { name } = table;
  return [
    optimize(table, 'trino'),
    `ALTER TABLE ${name} EXECUTE expire_snapshots(retention_threshold => '0s')`,
    `ALTER TABLE ${name} EXECUTE remove_orphan_files(retention_threshold => '0s')`,
  ];
}
