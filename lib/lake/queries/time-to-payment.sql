-- How long it takes until an invoice is paid, per merchant, currency and day on which it was made, in the last 120 days: the median, and the shares that were paid on that day or at most 1, 3, 7 and 30 days later, null until these are over. Basis: all invoices made on the day.
-- The median is of those paid by now, the lower one of two. A share is of all invoices made on the day, also the cancelled ones.
SELECT
  CAST(business_date AS varchar) AS day,
  merchant_code,
  currency,
  count(*) AS invoices,
  count(days) AS paid,
  element_at(array_sort(array_agg(days) FILTER (WHERE days IS NOT NULL)), CAST(floor((count(days) + 1) / 2) AS bigint)) AS median_days,
  CASE WHEN date_add('day', 1, business_date) < current_date THEN round(CAST(count_if(days <= 1) AS double) / count(*), 4) END AS paid_within_1,
  CASE WHEN date_add('day', 3, business_date) < current_date THEN round(CAST(count_if(days <= 3) AS double) / count(*), 4) END AS paid_within_3,
  CASE WHEN date_add('day', 7, business_date) < current_date THEN round(CAST(count_if(days <= 7) AS double) / count(*), 4) END AS paid_within_7,
  CASE WHEN date_add('day', 30, business_date) < current_date THEN round(CAST(count_if(days <= 30) AS double) / count(*), 4) END AS paid_within_30
FROM (
  SELECT business_date, merchant_code, currency, date_diff('day', business_date, received_date) AS days
  FROM all_invoices
  WHERE state IS NOT NULL AND day >= CAST(CAST(current_date - INTERVAL '120' DAY AS date) AS varchar)
)
GROUP BY business_date, merchant_code, currency
ORDER BY business_date DESC, merchant_code, currency;
