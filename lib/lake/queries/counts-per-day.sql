-- Invoices by state, what came in and approved refunds, per day and currency, over all merchants, in the last 35 days. Basis: invoices by the day on which they were made, money and refunds by their own day.
-- Paid: by the last reading of the day. The currency is null on pages sealed without one.
SELECT
  day,
  currency,
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
  CASE WHEN count(came_in) = count(*) THEN sum(came_in) END AS came_in,
  CASE WHEN count(approved_refund_count) = count(*) THEN sum(approved_refund_count) END AS approved_refund_count,
  CASE WHEN count(approved_refunds) = count(*) THEN sum(approved_refunds) END AS approved_refunds
FROM all_days
WHERE day >= CAST(CAST(current_date - INTERVAL '35' DAY AS date) AS varchar)
GROUP BY day, currency
ORDER BY day DESC, currency;
