-- What came in, per day, merchant, currency and payment method, in the last 35 days. Basis: the day of the payment, whatever day the invoice was made.
-- Over all methods it is "Came in" of the day's mail. Invoices made up to 90 days before count; where followFor is longer, raise the days of "day >=".
SELECT
  CAST(received_date AS varchar) AS day,
  merchant_code,
  currency,
  method,
  count(*) AS payments,
  sum(amount) AS came_in,
  coalesce(sum(CASE WHEN business_date < received_date THEN amount END), 0) AS came_in_of_earlier,
  CASE WHEN count(charge_of_paid) = count(*) THEN sum(charge_of_paid) END AS charges
FROM payments
WHERE day >= CAST(CAST(current_date - INTERVAL '125' DAY AS date) AS varchar) AND received_date >= current_date - INTERVAL '35' DAY
GROUP BY received_date, merchant_code, currency, method
ORDER BY day DESC, merchant_code, currency, method;
