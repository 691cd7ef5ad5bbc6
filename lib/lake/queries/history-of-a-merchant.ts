import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';
import { fileOf, newestSealed, objectKey } from '../sealed-files.ts';

const OF_THE_MERCHANT = `merchant = '700001' AND ${sinceDays(365)}`;

export const HISTORY_OF_A_MERCHANT: NamedQuery = {
  name: 'history-of-a-merchant',
  description:
    "One merchant's invoices per month and status over a year, reading that merchant's objects only.",
  sql: `-- Put the merchant's code in both places: the tables by merchant need it as it is, beside the table's name.
WITH sealed AS (
  SELECT day, ${fileOf('invoices', 'json')} AS file
  FROM ${newestSealed(`merchant_days WHERE ${OF_THE_MERCHANT}`)}
),
rows_of_pulls AS (
  SELECT day, invoice_status, amount, ${objectKey('merchant_invoices')} AS file
  FROM merchant_invoices
  WHERE ${OF_THE_MERCHANT}
)
SELECT
  substr(r.day, 1, 7) AS month,
  r.invoice_status,
  count(*) AS invoices,
  sum(CAST(r.amount AS decimal(38,3))) AS amount
FROM rows_of_pulls AS r
JOIN sealed AS s ON r.day = s.day AND r.file = s.file
GROUP BY 1, 2
ORDER BY 1, 2`,
};
