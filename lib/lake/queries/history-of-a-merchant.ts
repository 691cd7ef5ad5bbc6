import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const HISTORY_OF_A_MERCHANT: NamedQuery = {
  name: 'history-of-a-merchant',
  description: "One merchant's invoices per month and status over a year.",
  sql: `-- Invoices by the month in which they were made, with the status at the last reading of their day. Put the merchant's code here. Amounts are added as they are: where its currency has changed, group by day; the table days has the currency of each. Merged days are read from the merchant's part of the history.
SELECT
  substr(day, 1, 7) AS month,
  invoice_status,
  count(*) AS invoices,
  sum(amount) AS amount
FROM all_invoices
WHERE merchant_code = '700001' AND ${sinceDays(365)}
GROUP BY 1, 2
ORDER BY 1, 2`,
};
