import { newestSealed } from '../../sealed-files.ts';
import { inSlice } from '../slice.ts';
import type { Slice } from '../slice.ts';
import { DAYS_HISTORY } from '../tables/days.ts';
import { insertRow, listed, selected, updateRow } from './columns.ts';

interface DaysSlice extends Slice {
  /** Pulls before this day have no files of invoices and refunds any more: `YYYY-MM-DD`, UTC. */
  dataFrom: string;
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
 */
export function mergeDays({ dataFrom, ...slice }: DaysSlice): string {
  const on = (alias: string) => `${alias}.day = s."day" AND ${alias}.merchant_code = s."merchant_code"`;
  return `MERGE INTO days_history AS t
USING (
  SELECT s.*
  FROM (
    SELECT
${listed(DAYS_HISTORY.latest.columns.map(selected), 6)}
    FROM ${newestSealed(`"days" WHERE "day" IN (${slice.days})`)} AS d
  ) AS s
  LEFT JOIN ${rowsInHistory('invoices_history', slice)} AS i ON ${on('i')}
  LEFT JOIN ${rowsInHistory('refunds_history', slice)} AS f ON ${on('f')}
  WHERE
    (
      ${complete('i', 's."invoice_rows"')}
      AND ${complete('f', 's."refund_rows"')}
    )
    -- Its files are gone. What is known of the page is its figures.
    OR s."pulled_at" < TIMESTAMP '${dataFrom} 00:00:00'
) AS s
ON t.merchant_code = s.merchant_code AND t.day = s.day AND ${inSlice('t', slice)}
WHEN MATCHED AND t.revision <> s.revision THEN ${updateRow(DAYS_HISTORY)}
WHEN NOT MATCHED THEN ${insertRow(DAYS_HISTORY)}`;
}
