import type { Format, Table } from '#records/revision/manifest.ts';
import { STATEMENTS as STATEMENTS_PREFIX } from '#records/storage/keys.ts';
import { GROUP_PAGES, STATEMENTS } from './tables.ts';

/** SQL for the key of a row's object, without the bucket. @param alias of the table */
export function objectKey(alias: string): string {
  return `regexp_extract(${alias}."$path", '^s3://[^/]+/(.*)$', 1)`;
}

/** SQL for a data file in a manifest. Every manifest has exactly one of each. @param alias of the manifests */
export function dataFileOf(table: Table, format: Format, alias?: string): string {
  const files = alias === undefined ? '"files"' : `${alias}."files"`;
  return `filter(${files}, f -> f."table" = '${table}' AND f."format" = '${format}')[1]`;
}

/** SQL for the key of a data file in a manifest. */
export function fileOf(table: Table, format: Format): string {
  return `${dataFileOf(table, format)}."key"`;
}

/**
 * SQL for a condition that holds for every row that Daybook wrote. Where it does not hold, the query stops.
 *
 * @param complaint SQL for the text of the error
 */
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
 *
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
 *
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

interface SealedPages {
  table: string;
  /** The first word of the folder of each owner's pages. */
  folder: 'merchant' | 'group';
  /** The column with the owner's name. */
  owner: string;
  /** A column that is never null. */
  content: string;
  /** In errors. */
  called: string;
}

/** The end of a key: the owner's name, and the number of the revision, with zeros up to four digits. */
const OWNER_AND_REVISION = '([A-Za-z0-9-]{1,64})/r([0-9]{4}|[1-9][0-9]{4,8})[.]json$';

/**
 * The newest revision of each owner and period. Merchants' statements and groups' pages are in the same folders: the key says whose
 * an object is. Objects with other keys, such as copies, are left out. An object that is not the page of its key stops the query of
 * its period.
 *
 * A condition on `year` and `part` reaches the partitions, because rows are numbered within a period.
 */
function newestPages({ table, folder, owner, content, called }: SealedPages): string {
  const pattern = `'^${STATEMENTS_PREFIX}period=[^/]+/${folder}=${OWNER_AND_REVISION}'`;
  const isPageOfItsKey = `"${owner}" = "key_owner" AND "revision" = "key_revision" AND "period" = "year" || '-' || "part" AND "${content}" IS NOT NULL`;
  return `(
  SELECT * FROM (
    SELECT *, row_number() OVER (PARTITION BY "year", "part", "${owner}" ORDER BY "revision" DESC) AS "age"
    FROM (
      SELECT
        *,
        ${objectKey(`"${table}"`)} AS "object_key",
        regexp_extract(${objectKey(`"${table}"`)}, ${pattern}, 1) AS "key_owner",
        CAST(regexp_extract(${objectKey(`"${table}"`)}, ${pattern}, 2) AS bigint) AS "key_revision"
      FROM "${table}"
    )
    WHERE ${mustHoldWhere('"key_owner" IS NOT NULL', isPageOfItsKey, `'a line is no ${called}: ' || "object_key"`)}
  ) WHERE "age" = 1
)`;
}

/** The newest statement of each merchant and period. */
export const NEWEST_STATEMENTS = newestPages({
  table: STATEMENTS.name,
  folder: 'merchant',
  owner: 'merchantcode',
  content: 'days',
  called: 'statement',
});

/** The newest page of each group and period. */
export const NEWEST_GROUP_PAGES = newestPages({
  table: GROUP_PAGES.name,
  folder: 'group',
  owner: 'group',
  content: 'merchants',
  called: 'page of a group',
});
