-- Days of the last 10 without a sealed page of a merchant that is in the registry, from the day on since which the lake knows it.
SELECT CAST(c.day AS varchar) AS day, m.code AS merchant_code, m.name
FROM merchants AS m
CROSS JOIN UNNEST(sequence(current_date - INTERVAL '10' DAY, current_date - INTERVAL '1' DAY)) AS c (day)
LEFT JOIN (SELECT business_date, merchant_code FROM all_days WHERE day >= CAST(CAST(current_date - INTERVAL '10' DAY AS date) AS varchar)) AS d
  ON d.business_date = c.day AND d.merchant_code = m.code
WHERE d.business_date IS NULL AND CAST(m.since AS date) <= c.day
ORDER BY 1 DESC, 2;
