-- Approved refunds of each hundred that came in, per month, merchant and currency, of this month and the two before. On both bases: refunds given in the month, and refunds of its sales, whenever they were given.
WITH months AS (
  SELECT
    substr(day, 1, 7) AS month,
    merchant_code,
    currency,
    CASE WHEN count(came_in) = count(*) THEN sum(came_in) END AS came_in,
    CASE WHEN count(approved_refunds) = count(*) THEN sum(approved_refunds) END AS refunded
  FROM all_days
  WHERE day >= CAST(CAST(date_trunc('month', current_date) - INTERVAL '2' MONTH AS date) AS varchar)
  GROUP BY 1, 2, 3
),
of_sales AS (
  SELECT substr(CAST(transaction_date AS varchar), 1, 7) AS month, merchant_code, currency, sum(amount) AS refunded
  FROM (
    SELECT *, row_number() OVER (PARTITION BY merchant_code, id ORDER BY updated_at DESC NULLS LAST, day DESC) AS reading
    FROM all_refunds
    WHERE day >= CAST(CAST(date_trunc('month', current_date) - INTERVAL '2' MONTH AS date) AS varchar)
  )
  WHERE reading = 1 AND state = 'approved'
  GROUP BY 1, 2, 3
)
SELECT
  m.month,
  m.merchant_code,
  m.currency,
  m.came_in,
  m.refunded,
  round(100 * CAST(m.refunded AS double) / nullif(CAST(m.came_in AS double), 0), 2) AS refund_percent,
  coalesce(s.refunded, 0) AS refunded_of_sales,
  round(100 * CAST(coalesce(s.refunded, 0) AS double) / nullif(CAST(m.came_in AS double), 0), 2) AS refund_percent_of_sales
FROM months AS m
LEFT JOIN of_sales AS s
  ON s.month = m.month AND s.merchant_code = m.merchant_code AND s.currency = m.currency
ORDER BY 1 DESC, 2, 3;
