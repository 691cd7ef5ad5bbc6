-- Unpaid invoices per merchant, currency and age, as they stood when yesterday was over, of the last 90 days, and those of them whose link had ended. Basis: the day on which the invoice was made.
-- For another day, put it here. An invoice that was paid after that day was unpaid on it. One that is cancelled by now is left out, whenever it was cancelled.
WITH asked AS (
  SELECT CAST(current_date - INTERVAL '1' DAY AS date) AS day
)
SELECT
  merchant_code,
  currency,
  CASE
    WHEN age_in_days <= 1 THEN '0 to 1 days'
    WHEN age_in_days <= 7 THEN '2 to 7 days'
    WHEN age_in_days <= 30 THEN '8 to 30 days'
    ELSE 'over 30 days'
  END AS age,
  count(*) AS invoices,
  sum(amount) AS amount,
  -- Of them those whose link had ended. What is left still has a working link.
  count_if(expires_at <= asked_day) AS expired,
  coalesce(sum(CASE WHEN expires_at <= asked_day THEN amount END), 0) AS expired_amount
FROM (
  SELECT i.*, a.day AS asked_day, date_diff('day', i.business_date, a.day) AS age_in_days
  FROM all_invoices AS i
  CROSS JOIN asked AS a
  WHERE i.day >= CAST(CAST(current_date - INTERVAL '90' DAY AS date) AS varchar) AND i.business_date <= a.day AND (i.state = 'not_paid' OR i.received_date > a.day)
)
GROUP BY 1, 2, 3
ORDER BY merchant_code, currency, min(age_in_days);
