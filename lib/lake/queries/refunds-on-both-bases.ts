import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const REFUNDS_ON_BOTH_BASES: NamedQuery = {
  name: 'refunds-on-both-bases',
  description:
    "Refunds per merchant and day by the date of the refund and by the date of the sale, by status, in the last 35 days. By the sale: every sealed refund of the day's sales, whenever it was given. A row without a day has those without a usable date.",
  sql: `WITH refunds AS (
  SELECT
    merchant_code, status, amount, refund_at, transaction_date,
    row_number() OVER (PARTITION BY merchant_code, id ORDER BY updated_at DESC NULLS LAST, day DESC) AS reading
  FROM all_refunds
  WHERE ${sinceDays(35)}
)
SELECT
  CAST(b.day AS varchar) AS day,
  r.merchant_code,
  r.status,
  count_if(b.basis = 'refund') AS refunds,
  coalesce(sum(CASE WHEN b.basis = 'refund' THEN r.amount END), 0) AS refund_amount,
  count_if(b.basis = 'sale') AS refunds_of_sales,
  coalesce(sum(CASE WHEN b.basis = 'sale' THEN r.amount END), 0) AS refund_amount_of_sales
FROM refunds AS r
CROSS JOIN UNNEST(
  ARRAY['refund', 'sale'],
  ARRAY[r.refund_at, CAST(r.transaction_date AS date)]
) AS b (basis, day)
-- A refund may be on the pages of several days: its newest reading counts.
WHERE r.reading = 1 AND (b.day IS NULL OR b.day >= current_date - INTERVAL '35' DAY)
GROUP BY b.day, r.merchant_code, r.status
ORDER BY day DESC NULLS FIRST, merchant_code, status`,
};
