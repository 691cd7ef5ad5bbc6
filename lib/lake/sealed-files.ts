import type { Format, Table } from '#domain/revision/manifest.ts';

/** SQL for the key of the object that a row comes from, without the bucket. @param alias of the table */
export function objectKey(alias: string): string {
  return `regexp_extract(${alias}."$path", '^s3://[^/]+/(.*)$', 1)`;
}

/** SQL for the key of a data file that a manifest names; every manifest has exactly one of each. */
export function fileOf(table: Table, format: Format): string {
  return `filter("files", f -> f."table" = '${table}' AND f."format" = '${format}')[1]."key"`;
}

/**
 * The manifests of each merchant's and day's newest revision. A condition on `day` goes through it to the partitions,
 * since rows are numbered within a day.
 *
 * @param from the table, with a condition that must stand at the table itself
 */
export function newestSealed(from = '"days"'): string {
  return `(
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "day", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM ${from}
  ) WHERE "age" = 1
)`;
}
