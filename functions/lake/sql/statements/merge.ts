import type { Table } from '#records/revision/manifest.ts';
import { newestWithWords } from '../page-words.ts';
import { fileOf, mustBeOfItsPage, objectKey } from '../sealed-files.ts';
import { RECORD_HISTORIES, DAYS_HISTORY, MAIL_HISTORY } from '../history-tables.ts';
import { LATEST_MAIL } from '../views/latest.ts';
import { quotedText, quotedTexts } from '../quoting.ts';
import { insertRow, listed, selected, updateRow, quoted } from './columns.ts';

/**
 * Some days to merge at once, as `look` gives them: at most {@link MOST_DAYS}: each statement then opens at most 80 partitions (5 months, 16 buckets), and Athena's limit is 100.
 */
export interface Slice {
  /** Such as `2026-11-19`. */
  days: readonly string[];
  /** The first of them. */
  from: string;
  to: string;
}

export const MOST_DAYS = 5;

/**
 * SQL for "is a row of the slice" in a table of the history. The range of `business_date` is a literal: Iceberg then opens only the
 * files of these days, and refuses to commit when another statement wrote days of the range in the meantime.
 */
export function inSlice(alias: string, { days, from, to }: Slice): string {
  return `${alias}.business_date BETWEEN DATE ${quotedText(from)} AND DATE ${quotedText(to)} AND ${alias}.day IN (${quotedTexts(days)})`;
}

/**
 * Brings the rows of some days up to their newest sealed revisions. Only pages change whose newest revision is not in
 * `days_history`, which is written after the rows. So it can be repeated, also after it died halfway.
 *
 * Each such page is in the source once with `what = 'remove'`: it matches all rows of the page and deletes them. Its new rows are there with
 * `what = 'insert'`: they never match and are inserted. One statement does both, so no reader sees a page half done.
 */
export function mergeRecords(table: Table, slice: Slice): string {
  const history = RECORD_HISTORIES[table];
  return `MERGE INTO ${history.name} AS t
USING (
  SELECT
    w.what,
${listed(history.latest.columns.map(selected), 4)}
  FROM (
    SELECT d.*, ${fileOf(table, 'json')} AS "file"
    FROM ${newestWithWords(`"days" WHERE "day" IN (${quotedTexts(slice.days)})`)} AS d
    LEFT JOIN days_history AS h
      ON h.merchant_code = d."merchantcode" AND h.day = d."day" AND ${inSlice('h', slice)}
    WHERE h.revision IS DISTINCT FROM d."revision"
  ) AS s
  CROSS JOIN (VALUES 'remove', 'insert') AS w (what)
  LEFT JOIN "${table}" AS r
    ON w.what = 'insert' AND r."day" IN (${quotedTexts(slice.days)}) AND r."day" = s."day" AND ${objectKey('r')} = s."file"
    AND ${mustBeOfItsPage('r', 's')}
  WHERE w.what = 'remove' OR r."day" IS NOT NULL
) AS s
ON s.what = 'remove' AND t.merchant_code = s.merchant_code AND t.day = s.day AND ${inSlice('t', slice)}
WHEN MATCHED THEN DELETE
WHEN NOT MATCHED AND s.what = 'insert' THEN ${insertRow(history)}`;
}

function rowsInHistory(table: string, slice: Slice): string {
  return `(
    SELECT r.day, r.merchant_code, count(*) AS "rows", min(r.revision) AS oldest, max(r.revision) AS newest
    FROM ${table} AS r
    WHERE ${inSlice('r', slice)}
    GROUP BY r.day, r.merchant_code
  )`;
}

/** SQL for "the page's rows in the history are those of the manifest `d`, and all of them". */
function complete(alias: string, rows: string): string {
  return `coalesce(${alias}."rows", 0) = ${rows}
      AND coalesce(${alias}.oldest, s."revision") = s."revision"
      AND coalesce(${alias}.newest, s."revision") = s."revision"`;
}

/**
 * Brings the figures of some days up to their newest sealed revisions. A page comes in only when its rows are there
 * ({@link mergeRecords}): a revision that was sealed in between waits for the next merge. So a row of `days_history` says that the
 * page is complete.
 * @param dataFrom pulls before this day have no files of invoices and refunds any more: `YYYY-MM-DD`, UTC
 */
export function mergeDays(slice: Slice, dataFrom: string): string {
  const on = (alias: string) => `${alias}.day = s."day" AND ${alias}.merchant_code = s."merchant_code"`;
  return `MERGE INTO days_history AS t
USING (
  SELECT s.*
  FROM (
    SELECT
${listed(DAYS_HISTORY.latest.columns.map(selected), 6)}
    FROM ${newestWithWords(`"days" WHERE "day" IN (${quotedTexts(slice.days)})`)} AS d
  ) AS s
  LEFT JOIN ${rowsInHistory('invoices_history', slice)} AS i ON ${on('i')}
  LEFT JOIN ${rowsInHistory('refunds_history', slice)} AS f ON ${on('f')}
  WHERE
    (
      ${complete('i', 's."invoice_rows"')}
      AND ${complete('f', 's."refund_rows"')}
    )
    -- Its files are gone. What is known of the page is its figures.
    OR s."pulled_at" < TIMESTAMP ${quotedText(`${dataFrom} 00:00:00`)}
) AS s
ON t.merchant_code = s.merchant_code AND t.day = s.day AND ${inSlice('t', slice)}
WHEN MATCHED AND t.revision <> s.revision THEN ${updateRow(DAYS_HISTORY)}
WHEN NOT MATCHED THEN ${insertRow(DAYS_HISTORY)}`;
}

function row(alias: string): string {
  return `ROW(${MAIL_HISTORY.columns.map(({ name }) => `${alias}.${quoted(name)}`).join(', ')})`;
}

/** Brings the mail of some days up to date: new ledgers come in, and changed ones are changed. */
export function mergeMail(slice: Slice): string {
  return `MERGE INTO mail_history AS t
USING (
  SELECT
${listed(LATEST_MAIL.columns.map(selected), 4)}
  FROM ${LATEST_MAIL.from}
    AND m."day" IN (${quotedTexts(slice.days)})
) AS s
ON t.merchant_code = s.merchant_code AND t.day = s.day AND t.revision = s.revision AND ${inSlice('t', slice)}
WHEN MATCHED AND ${row('t')} IS DISTINCT FROM ${row('s')}
  THEN ${updateRow(MAIL_HISTORY)}
WHEN NOT MATCHED THEN ${insertRow(MAIL_HISTORY)}`;
}
