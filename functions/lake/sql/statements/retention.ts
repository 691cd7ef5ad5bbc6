import type { LakeSettings } from '../../lake-settings.ts';
import { groupTables } from '../groups.ts';
import type { LakeGroup } from '../groups.ts';
import {
  DAYS_HISTORY,
  HISTORY_MERGES,
  MAIL_HISTORY,
  RECORD_HISTORIES,
  VIEW_HISTORIES,
} from '../history-tables.ts';
import type { HistoryTable } from '../history-tables.ts';

/** S3 deletes an object up to this many days after its age allows it. So rows stay as many days longer than `retention` says. */
const S3_DAYS = 3;

type Named = Pick<HistoryTable, 'name'>;

/**
 * SQL for "is of a month that has been over for so many days". With it, Iceberg opens only the files of old months, and deletes most of
 * them whole. A row stays up to a month longer.
 */
function isOfOldMonths(date: string, kept: number): string {
  return `${date} < date_trunc('month', current_date - INTERVAL '${kept}' DAY)`;
}

/** SQL for "S3 has deleted the objects of this moment". */
function hasExpired(moment: string, kept: number): string {
  return `${moment} < current_date - INTERVAL '${kept + S3_DAYS}' DAY`;
}

/**
 * Deletes the rows of the pages whose objects the bucket has deleted by their age. The age counts from the pull, not from the day: a day
 * that was pulled late keeps its rows as long as its files. `days` says when the revision of the rows was pulled. So rows of a revision
 * that is not in `days` yet stay.
 *
 * It is a MERGE, because the condition has several columns: Athena documents MERGE with a query as its source, and Trino does not have
 * `(a, b) IN (SELECT a, b …)`.
 * @param table invoices or refunds, of the same copy as `days`, or `days` itself
 * @param kept days for which the bucket keeps the objects that a row was made of
 * @param holding tables whose pages stay: without its figures, nothing would say when the rows of a page have to go
 */
function deleteOldPages(table: Named, days: Named, kept: number, holding: readonly Named[] = []): string {
  const held = holding.map(
    ({ name }, index) => `
  LEFT JOIN (SELECT DISTINCT r.day, r.merchant_code FROM ${name} AS r WHERE ${isOfOldMonths('r.business_date', kept)}) AS h${index}
    ON h${index}.day = d.day AND h${index}.merchant_code = d.merchant_code`,
  );
  const isHeldByNone = holding.map((_, index) => ` AND h${index}.day IS NULL`);
  return `MERGE INTO ${table.name} AS t
USING (
  SELECT d.day, d.merchant_code, d.revision
  FROM ${days.name} AS d${held.join('')}
  WHERE ${isOfOldMonths('d.business_date', kept)} AND ${hasExpired('d.pulled_at', kept)}${isHeldByNone.join('')}
) AS s
ON t.merchant_code = s.merchant_code AND t.day = s.day AND t.revision = s.revision AND ${isOfOldMonths('t.business_date', kept)}
WHEN MATCHED THEN DELETE`;
}

function deleteOldMail({ name }: Named, kept: number): string {
  return `DELETE FROM ${name} WHERE ${isOfOldMonths('business_date', kept)} AND ${hasExpired('intended_at', kept)}`;
}

/**
 * Deletes the notes of merges of old days. It comes last. A note stays as long as the history has anything of its day or of an earlier
 * day: a day without a note, after a day with one, would wait to be merged.
 */
function deleteOldMerges({ name }: Named, holding: readonly Named[], kept: number): string {
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

type Retention = LakeSettings['retention'];

type Deletion = readonly [HistoryTable, string];

/** Rows first, then figures: the figures say when the rows have to go. */
function deletePages(
  { invoices, refunds, days }: Record<'invoices' | 'refunds' | 'days', HistoryTable>,
  { dataDays, manifestDays }: Retention,
): Deletion[] {
  return [
    [invoices, deleteOldPages(invoices, days, dataDays)],
    [refunds, deleteOldPages(refunds, days, dataDays)],
    [days, deleteOldPages(days, days, manifestDays, [invoices, refunds])],
  ];
}

/**
 * The statements that delete what is too old, in their order. A run may die between any two of them: the next one goes on.
 * @param database of the lake; @param groups who have copies
 */
export function deletions(retention: Retention, database: string, groups: readonly LakeGroup[]): Deletion[] {
  const { ledgerDays } = retention;
  return [
    ...deletePages({ ...RECORD_HISTORIES, days: DAYS_HISTORY }, retention),
    [MAIL_HISTORY, deleteOldMail(MAIL_HISTORY, ledgerDays)],
    [HISTORY_MERGES, deleteOldMerges(HISTORY_MERGES, VIEW_HISTORIES, ledgerDays)],
    ...groups.flatMap((group) => deletePages(groupTables(database, group), retention)),
  ];
}
