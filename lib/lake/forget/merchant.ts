import type { HistoryTable } from '../history/history-table.ts';
import { DAYS_HISTORY } from '../history/tables/days.ts';
import { INVOICES_HISTORY } from '../history/tables/invoices.ts';
import { MAIL_HISTORY } from '../history/tables/mail.ts';
import { REFUNDS_HISTORY } from '../history/tables/refunds.ts';
import { literal } from './personal-columns.ts';

/** The tables of the history with rows of merchants. */
export const OF_MERCHANTS: readonly HistoryTable[] = [
  DAYS_HISTORY,
  INVOICES_HISTORY,
  REFUNDS_HISTORY,
  MAIL_HISTORY,
];

/** Deletes a merchant's rows from the history. Delete the merchant's objects first: otherwise a merge brings the rows back. */
export function eraseMerchant(merchantCode: string): string[] {
  return OF_MERCHANTS.map(({ name }) => `DELETE FROM ${name} WHERE merchant_code = ${literal(merchantCode)}`);
}

/** Counts what the history has of a merchant: one row for each table that has something. */
export function findMerchant(merchantCode: string): string {
  return OF_MERCHANTS.map(
    ({ name }) => `SELECT '${name}' AS what, count(*) AS "rows"
FROM ${name}
WHERE merchant_code = ${literal(merchantCode)}
HAVING count(*) > 0`,
  ).join('\nUNION ALL\n');
}
