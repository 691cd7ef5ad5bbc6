import { TABLES } from '#records/revision/manifest.ts';
import type { Table } from '#records/revision/manifest.ts';
import { RECORDS, names, personalColumns } from './personal-columns.ts';

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
  WHERE "day" >= '${from}' AND ${names(table, text)}`;
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
FROM ${RECORDS[table].name}
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
