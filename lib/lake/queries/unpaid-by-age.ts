import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const UNPAID_BY_AGE: NamedQuery = {
  name: 'unpaid-by-age',
  description: 'Invoices not paid, per merchant and age, of the last 90 days.',
  sql: `-- 0 is "not_paid" where the registry's invoiceStatuses says so; the contract shows no values. Ages count to today in UTC. Amounts are added as they are: where a merchant's currency has changed, add day to both SELECTs and groups; the table days has the currency of each.
SELECT
  merchant_code,
  CASE
    WHEN age_in_days <= 1 THEN '0 to 1 days'
    WHEN age_in_days <= 7 THEN '2 to 7 days'
    WHEN age_in_days <= 30 THEN '8 to 30 days'
    ELSE 'over 30 days'
  END AS age,
  count(*) AS invoices,
  sum(amount) AS amount,
  count_if(expires_at < current_date) AS expired
FROM (
  SELECT merchant_code, amount, expires_at, date_diff('day', business_date, current_date) AS age_in_days
  FROM all_invoices
  WHERE invoice_status = 0 AND ${sinceDays(90)}
)
GROUP BY 1, 2
ORDER BY merchant_code, min(age_in_days)`,
};
