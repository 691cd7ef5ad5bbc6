-- Recipients whose mail is not known to be delivered, and sealed days without a ledger, in the last 10 days, as the last merge found them.
-- "accepted" is sent, and no event has come since: events are best effort, so it may have arrived.
WITH entries AS (
  SELECT
    day, merchant_code, revision, kind, status, reason, reached_at, recipient,
    row_number() OVER (PARTITION BY day, merchant_code, revision, recipient ORDER BY round DESC) AS age,
    max(CASE WHEN status = 'delivered' THEN 1 ELSE 0 END) OVER (PARTITION BY day, merchant_code, revision, recipient) AS arrived
  FROM (
    SELECT
      m.day, m.merchant_code, m.revision, m.kind,
      json_extract_scalar(e.entry, '$.status') AS status,
      json_extract_scalar(e.entry, '$.reason') AS reason,
      json_extract_scalar(e.entry, '$.at') AS reached_at,
      json_extract_scalar(e.entry, '$.to') AS recipient,
      CAST(json_extract_scalar(e.entry, '$.round') AS bigint) AS round
    FROM mail_history AS m
    CROSS JOIN UNNEST(CAST(json_parse(m.entries) AS json ARRAY)) AS e (entry)
    WHERE m.day >= CAST(CAST(current_date - INTERVAL '10' DAY AS date) AS varchar)
  )
),
merged AS (
  SELECT day, max(merged_at) AS merged_at
  FROM history_merges
  WHERE what = 'mail' AND day >= CAST(CAST(current_date - INTERVAL '10' DAY AS date) AS varchar)
  GROUP BY day
)
SELECT e.day, e.merchant_code, e.revision, e.kind, e.status, e.reason, e.reached_at, e.recipient
FROM entries AS e
-- Each resend begins a new round. It takes nothing back: a mail that was delivered in any round is delivered.
WHERE e.age = 1 AND e.arrived = 0
UNION ALL
SELECT d.day, d.merchant_code, d.revision, NULL, 'no ledger', NULL, NULL, NULL
FROM all_days AS d
-- A ledger is written within an hour of the pull. What was pulled later is not judged yet.
JOIN merged AS g ON g.day = d.day AND d.pulled_at < g.merged_at - INTERVAL '1' HOUR
LEFT JOIN mail_history AS l
  ON l.day = d.day AND l.merchant_code = d.merchant_code AND l.revision = d.revision
WHERE l.day IS NULL AND d.day >= CAST(CAST(current_date - INTERVAL '10' DAY AS date) AS varchar)
ORDER BY 1 DESC, 2, 3, 8;
