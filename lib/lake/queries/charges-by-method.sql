-- Charges that the merchant bears, per month, merchant, currency and payment method, of this month and the two before. Basis: the day of the payment.
-- charge_percent: of each hundred that came in. Charges are null where one of them is no amount. Invoices made up to 90 days before count; where followFor is longer, raise the days of "day >=".
SELECT
  substr(CAST(received_date AS varchar), 1, 7) AS month,
  merchant_code,
  currency,
  method,
  count(*) AS payments,
  sum(amount) AS came_in,
  CASE WHEN count(charge_of_paid) = count(*) THEN sum(charge_of_paid) END AS charges,
  round(100 * CAST(sum(charge_of_paid) AS double) / nullif(CAST(sum(amount) AS double), 0), 2) AS charge_percent
FROM payments
WHERE day >= CAST(CAST(current_date - INTERVAL '183' DAY AS date) AS varchar) AND received_date >= date_trunc('month', current_date) - INTERVAL '2' MONTH
GROUP BY 1, 2, 3, 4
ORDER BY 1 DESC, 2, 3, 4;
