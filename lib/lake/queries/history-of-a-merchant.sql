-- One merchant's invoices per month, currency and state over a year. Basis: the day on which the invoice was made; the state is that of the last reading.
-- Put the merchant's code here. Merged days are read from the merchant's part of the history.
SELECT
  substr(day, 1, 7) AS month,
  currency,
  state,
  count(*) AS invoices,
  sum(amount) AS amount
FROM all_invoices
WHERE merchant_code = '700001' AND day >= CAST(CAST(current_date - INTERVAL '365' DAY AS date) AS varchar)
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3;
