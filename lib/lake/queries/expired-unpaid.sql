-- Invoices whose link ended before they were paid, per merchant, currency and last day of the link, in the last 35 days. Basis: the last day of the link; of invoices made in the last 125 days.
SELECT CAST(expires_at AS varchar) AS last_day, merchant_code, currency, count(*) AS invoices, sum(amount) AS amount
FROM all_invoices
WHERE state = 'not_paid' AND day >= CAST(CAST(current_date - INTERVAL '125' DAY AS date) AS varchar)
  AND expires_at >= current_date - INTERVAL '35' DAY AND expires_at < current_date
GROUP BY expires_at, merchant_code, currency
ORDER BY expires_at DESC, merchant_code, currency;
