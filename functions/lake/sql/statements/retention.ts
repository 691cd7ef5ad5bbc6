import type { HistoryTable } from '../history-tables.ts';

/** S3 deletes an object up to this many days after its age allows it. So rows stay as many days longer than `retention` says. */
const S3_DAYS = 3;

type Named = Pick<HistoryTable, 'name'>;

export interface PageTables {
  invoices: Named;
  refunds: Named;
  days: Named;
}

/** How long the bucket keeps the objects that a row was made of. */
interface Kept {
  kept: number;
}

/**
 * SQL for "is of a month that has been over for so many days". With it, Iceberg opens only the files of old months, and deletes most of
 * them whole. A row stays up to a month longer.
 */
function isOfOldMonths(date: string, { kept }: Kept): string {
  return `${date} < date_trunc('month', current_date - INTERVAL '${kept}' DAY)`;
}

/** SQL for "S3 has deleted the objects of this moment". */
function hasExpired(moment: string, { kept }: Kept): string {
  return `${moment} < current_date - INTERVAL '${kept + S3_DAYS}' DAY`;
}

function pagesWithRows({ name }: Named, kept: Kept): string {
  return `(SELECT DISTINCT r.day, r.merchant_code FROM ${name} AS r WHERE ${isOfOldMonths('r.business_date', kept)})`;
}

/**
 * Deletes the rows of the pages whose files the bucket has deleted by their age. The age counts from the pull, not from the day: a day
 * that was pulled late keeps its rows as long as its files. `days` says when the revision of the rows was pulled. So rows of a revision
 * that is not in `days` yet stay.
 *
 * It is a MERGE, because the condition has several columns: Athena documents MERGE with a query as its source, and Trino does not have
 * `(a, b) IN (SELECT a, b …)`.
 * @param table invoices or refunds, of the same copy as `days`
 */
export function deleteOldRows(table: Named, days: Named, kept: Kept): string {
  return `MERGE INTO ${table.name} AS t
USING (
  SELECT d.day, d.merchant_code, d.revision
  FROM ${days.name} AS d
  WHERE ${isOfOldMonths('d.business_date', kept)} AND ${hasExpired('d.pulled_at', kept)}
) AS s
ON t.merchant_code = s.merchant_code AND t.day = s.day AND t.revision = s.revision AND ${isOfOldMonths('t.business_date', kept)}
WHEN MATCHED THEN DELETE`;
}

/**
 * Deletes the figures of the pages whose manifests the bucket has deleted. It comes after {@link deleteOldRows}, and leaves pages that
 * still have rows: without their figures, nothing would say when the rows have to go.
 */
export function deleteOldDays({ invoices, refunds, days }: PageTables, kept: Kept): string {
  const on = (alias: string) => `${alias}.day = d.day AND ${alias}.merchant_code = d.merchant_code`;
  return `MERGE INTO ${days.name} AS t
USING (
  SELECT d.day, d.merchant_code, d.revision
  FROM ${days.name} AS d
  LEFT JOIN ${pagesWithRows(invoices, kept)} AS i ON ${on('i')}
  LEFT JOIN ${pagesWithRows(refunds, kept)} AS f ON ${on('f')}
  WHERE ${isOfOldMonths('d.business_date', kept)} AND ${hasExpired('d.pulled_at', kept)} AND i.day IS NULL AND f.day IS NULL
) AS s
ON t.merchant_code = s.merchant_code AND t.day = s.day AND t.revision = s.revision AND ${isOfOldMonths('t.business_date', kept)}
WHEN MATCHED THEN DELETE`;
}

export function deleteOldMail({ name }: Named, kept: Kept): string {
  return `DELETE FROM ${name} WHERE ${isOfOldMonths('business_date', kept)} AND ${hasExpired('intended_at', kept)}`;
}

/**
 * Deletes the notes of merges of old days. It comes last. A note stays as long as the history has anything of its day or of an earlier
 * day: a day without a note, after a day with one, would wait to be merged.
 */
export function deleteOldMerges({ name }: Named, holding: readonly Named[], kept: Kept): string {
  const held = holding.map((table) => `SELECT business_date FROM ${table.name}`).join('\n    UNION ALL ');
  return `MERGE INTO ${name} AS t
USING (
  SELECT DISTINCT m.day
  FROM ${name} AS m
  CROSS JOIN (
    SELECT min(business_date) AS oldest
    FROM (
    ${held}
    )
  ) AS h
  WHERE ${isOfOldMonths('m.business_date', kept)} AND m.business_date < coalesce(h.oldest, current_date)
) AS s
ON t.day = s.day AND ${isOfOldMonths('t.business_date', kept)}
WHEN MATCHED THEN DELETE`;
}
