import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const COUNTS_PER_DAY: NamedQuery = {
  name: 'counts-per-day',
  description: 'Invoices by state and refunds, per day, over all merchants, in the last 35 days.',
  sql: `-- Paid: by the last reading of the day. What is paid later is in no row. Amounts add up over merchants: with several currencies, add merchant_code to the groups.
SELECT
  day,
  count(*) AS merchants,
  count_if(NOT balanced) AS unbalanced,
  -- A count that the service did not state is unknown, not 0: these days are left out of the sum.
  count_if(invoices IS NULL) AS without_counts,
  sum(invoices) AS invoices,
  sum(paid) AS paid,
  sum(not_paid) AS not_paid,
  sum(cancelled) AS cancelled,
  sum(other) AS other,
  sum(paid_amount) AS paid_amount,
  sum(refunds) AS refunds,
  sum(refund_amount) AS refund_amount
FROM all_days
WHERE ${sinceDays(35)}
GROUP BY day
ORDER BY day DESC`,
};
