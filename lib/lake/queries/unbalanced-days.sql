-- Days whose newest revision does not balance, and what does not agree, in the last 35 days.
SELECT day, merchant_code, revision, pulled_at, differences, invoices, paid, not_paid, cancelled, other
FROM all_days
WHERE NOT balanced AND day >= CAST(CAST(current_date - INTERVAL '35' DAY AS date) AS varchar)
ORDER BY day DESC, merchant_code;
