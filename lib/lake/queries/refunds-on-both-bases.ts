import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const REFUNDS_ON_BOTH_BASES: NamedQuery = {
  name: 'refunds-on-both-bases',
  description:
    'Refunds per merchant and day by the date of the refund and by the date of the sale, by status, in the last 35 days.',
  sql: `-- A refund on a page that belongs to the page's day on neither basis is counted on neither.
SELECT
  day,
  merchant_code,
  status,
  count_if(refund_at = business_date) AS refunds,
  coalesce(sum(CASE WHEN refund_at = business_date THEN amount END), 0) AS refund_amount,
  count_if(CAST(transaction_date AS date) = business_date) AS refunds_of_sales,
  coalesce(sum(CASE WHEN CAST(transaction_date AS date) = business_date THEN amount END), 0)
    AS refund_amount_of_sales
FROM all_refunds
WHERE ${sinceDays(35)}
GROUP BY day, merchant_code, status
ORDER BY day DESC, merchant_code, status`,
};
