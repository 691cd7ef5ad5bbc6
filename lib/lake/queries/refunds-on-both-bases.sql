-- Refunds per merchant and day by the date of the refund and by the date of the sale, by currency and state, in the last 35 days. By the sale: every sealed refund of the day's sales, whenever it was given. A row without a day has those without a usable date.
WITH readings AS (
  SELECT *, row_number() OVER (PARTITION BY merchant_code, id ORDER BY updated_at DESC NULLS LAST, day DESC) AS reading
    FROM all_refunds
    WHERE day >= CAST(CAST(current_date - INTERVAL '35' DAY AS date) AS varchar)
),
-- Each refund twice: on its own day, and on that of its sale.
based AS (
  SELECT r.*, b.basis, CASE b.basis WHEN 'refund' THEN r.refund_at ELSE CAST(r.transaction_date AS date) END AS its_day
  FROM readings AS r
  CROSS JOIN (VALUES ('refund'), ('sale')) AS b (basis)
  WHERE r.reading = 1
)
SELECT
  CAST(its_day AS varchar) AS day,
  merchant_code,
  currency,
  state,
  count_if(basis = 'refund') AS refunds,
  coalesce(sum(CASE WHEN basis = 'refund' THEN amount END), 0) AS refund_amount,
  count_if(basis = 'sale') AS refunds_of_sales,
  coalesce(sum(CASE WHEN basis = 'sale' THEN amount END), 0) AS refund_amount_of_sales
FROM based
WHERE its_day IS NULL OR its_day >= current_date - INTERVAL '35' DAY
GROUP BY its_day, merchant_code, currency, state
ORDER BY its_day DESC NULLS FIRST, merchant_code, currency, state;
