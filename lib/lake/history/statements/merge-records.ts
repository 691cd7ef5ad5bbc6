import type { Table } from '#records/revision/manifest.ts';
import { fileOf, mustBeOfItsPage, newestSealed, objectKey } from '../../sealed-files.ts';
import type { ViewHistory } from '../history-table.ts';
import { inSlice } from '../slice.ts';
import type { Slice } from '../slice.ts';
import { INVOICES_HISTORY } from '../tables/invoices.ts';
import { REFUNDS_HISTORY } from '../tables/refunds.ts';
import { insertRow, listed, selected } from './columns.ts';

const TABLES: Record<Table, ViewHistory> = { invoices: INVOICES_HISTORY, refunds: REFUNDS_HISTORY };

/**
 * Brings the rows of some days up to their newest sealed revisions. Only pages change whose newest revision is not in
 * `days_history`, which is written after the rows. So it can be repeated, also after it died halfway.
 *
 * Each such page is in the source once with `what = 'remove'`: it matches all rows of the page and deletes them. Its new rows are there with
 * `what = 'insert'`: they never match and are inserted. One statement does both, so no reader sees a page half done.
 */
export function mergeRecords(table: Table, slice: Slice): string {
  const history = TABLES[table];
  return `MERGE INTO ${history.name} AS t
USING (
  SELECT
    w.what,
${listed(history.latest.columns.map(selected), 4)}
  FROM (
    SELECT d."day", d."merchantcode", d."revision", d."file"
    FROM (
      SELECT "day", "merchantcode", "revision", ${fileOf(table, 'json')} AS "file"
      FROM ${newestSealed(`"days" WHERE "day" IN (${slice.days})`)}
    ) AS d
    LEFT JOIN days_history AS h
      ON h.merchant_code = d."merchantcode" AND h.day = d."day" AND ${inSlice('h', slice)}
    WHERE h.revision IS DISTINCT FROM d."revision"
  ) AS s
  CROSS JOIN (VALUES 'remove', 'insert') AS w (what)
  LEFT JOIN "${table}" AS r
    ON w.what = 'insert' AND r."day" IN (${slice.days}) AND r."day" = s."day" AND ${objectKey('r')} = s."file"
    AND ${mustBeOfItsPage('r', 's')}
  WHERE w.what = 'remove' OR r."day" IS NOT NULL
) AS s
ON s.what = 'remove' AND t.merchant_code = s.merchant_code AND t.day = s.day AND ${inSlice('t', slice)}
WHEN MATCHED THEN DELETE
WHEN NOT MATCHED AND s.what = 'insert' THEN ${insertRow(history)}`;
}
