-- What came in, approved refunds, charges and net, per month, merchant and currency, of a year. Basis: what happened in the month, as in the statement.
-- What is unknown of one day is unknown of its month: days_without_net counts them. A day without a page is not counted: merchants-without-a-page has it.
SELECT
  substr(day, 1, 7) AS month,
  merchant_code,
  currency,
  count(*) AS days,
  count_if(net IS NULL) AS days_without_net,
  CASE WHEN count(came_in) = count(*) THEN sum(came_in) END AS came_in,
  CASE WHEN count(approved_refunds) = count(*) THEN sum(approved_refunds) END AS approved_refunds,
  CASE WHEN count(charges) = count(*) THEN sum(charges) END AS charges,
  CASE WHEN count(net) = count(*) THEN sum(net) END AS net
FROM all_days
WHERE day >= CAST(CAST(date_trunc('month', current_date) - INTERVAL '11' MONTH AS date) AS varchar)
GROUP BY 1, 2, 3
ORDER BY 1 DESC, 2, 3;
