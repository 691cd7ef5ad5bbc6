import type { Format, Table } from '#records/revision/manifest.ts';

/** SQL for the key of a row's object, without the bucket. @param alias of the table */
export function objectKey(alias: string): string {
  return `regexp_extract(${alias}."$path", '^s3://[^/]+/(.*)$', 1)`;
}

/** SQL for a data file in a manifest. Every manifest has exactly one of each. @param alias of the manifests */
export function dataFileOf(table: Table, format: Format, alias?: string): string {
  const files = alias === undefined ? '"files"' : `${alias}."files"`;
  return `filter(${files}, f -> f."table" = '${table}' AND f."format" = '${format}')[1]`;
}

export function fileOf(table: Table, format: Format): string {
  return `${dataFileOf(table, format)}."key"`;
}

/** SQL for a condition of every row that Daybook wrote. Elsewhere the query stops with `complaint`, SQL for a text. */
export function mustHold(condition: string, complaint: string): string {
  // The two engines have no common function that raises an error. The error of this cast contains the text.
  return `CASE WHEN ${condition} THEN true ELSE CAST(${complaint} AS boolean) END`;
}

/** The same for the rows that are meant. All others are left out, whatever they are. */
export function mustHoldWhere(isMeant: string, condition: string, complaint: string): string {
  return `CASE WHEN ${isMeant} THEN ${mustHold(condition, complaint)} ELSE false END`;
}

/**
 * SQL for "this row is a record of its page". The SerDe makes a row of nulls of a line that is no record, and such a row
 * must not be counted.
 * @param record alias of the table of records
 * @param page alias of a query with the page's `day` and `merchantcode`
 */
export function mustBeOfItsPage(record: string, page: string): string {
  const isOfItsPage = `${record}."_merchant_code" = ${page}."merchantcode" AND ${record}."_day" = ${page}."day"`;
  return mustHold(isOfItsPage, `'a line is no record of its page: ' || ${record}."$path"`);
}

/**
 * The manifests of the newest revision of each merchant and day. A condition on `day` reaches the partitions, because rows
 * are numbered within a day.
 * @param from the table, with a condition that must be at the table itself
 */
export function newestSealed(from = '"days"'): string {
  return `(
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "day", "merchantcode" ORDER BY "revision" DESC) AS "age"
    FROM ${from}
  ) WHERE "age" = 1 AND ${mustHold('"files" IS NOT NULL', `'a line is no manifest: day ' || "day"`)}
)`;
}
