-- Figures of last month's statements that are not the sum of their days, from the manifests of the revisions that the statements name. No row: all of them agree. It reads each manifest of the month.
-- For another month or a week, put its year and part in both places, such as year = '2026' AND part = 'W47', and its days.
WITH stated AS (
  SELECT *
  FROM latest_statements
  WHERE year = substr(CAST(CAST(date_trunc('month', current_date) - INTERVAL '1' MONTH AS date) AS varchar), 1, 4) AND part = substr(CAST(CAST(date_trunc('month', current_date) - INTERVAL '1' MONTH AS date) AS varchar), 6, 2)
),
named AS (
  SELECT merchant_code, day, day_revision, currency
  FROM statement_days
  WHERE year = substr(CAST(CAST(date_trunc('month', current_date) - INTERVAL '1' MONTH AS date) AS varchar), 1, 4) AND part = substr(CAST(CAST(date_trunc('month', current_date) - INTERVAL '1' MONTH AS date) AS varchar), 6, 2)
),
sealed AS (
  SELECT
    d.merchantcode AS merchant_code,
    d.day,
    d.revision,
    CAST(d.counts.total AS decimal(38,3)) AS invoices,
    CAST(d.counts.paid AS decimal(38,3)) AS paid,
    CAST(d.counts.notpaid AS decimal(38,3)) AS not_paid,
    CAST(d.counts.cancelled AS decimal(38,3)) AS cancelled,
    CAST(d.counts.other AS decimal(38,3)) AS other,
    CAST(d.amounts.paid AS decimal(38,3)) AS paid_amount,
    CAST(d.amounts.notpaid AS decimal(38,3)) AS not_paid_amount,
    CAST(d.amounts.cancelled AS decimal(38,3)) AS cancelled_amount,
    CAST(d.amounts.other AS decimal(38,3)) AS other_amount,
    CAST(d.refunds.count AS decimal(38,3)) AS refunds,
    CAST(d.refunds.total AS decimal(38,3)) AS refund_amount,
    CAST(d.received.count AS decimal(38,3)) AS payments,
    CAST(d.received.sum AS decimal(38,3)) AS received
  FROM days AS d
  WHERE d.day >= CAST(CAST(date_trunc('month', current_date) - INTERVAL '1' MONTH AS date) AS varchar) AND d.day < CAST(CAST(date_trunc('month', current_date) AS date) AS varchar)
),
sums AS (
  SELECT
    n.merchant_code,
    count(*) AS named_days,
    count(d.revision) AS found_days,
    -- What is unknown of one day is unknown of the sum. Amounts of several currencies have none.
    CASE WHEN count(d.invoices) = count(*) THEN sum(d.invoices) END AS invoices,
    CASE WHEN count(d.paid) = count(*) THEN sum(d.paid) END AS paid,
    CASE WHEN count(d.not_paid) = count(*) THEN sum(d.not_paid) END AS not_paid,
    CASE WHEN count(d.cancelled) = count(*) THEN sum(d.cancelled) END AS cancelled,
    CASE WHEN count(d.other) = count(*) THEN sum(d.other) END AS other,
    CASE WHEN count(d.paid_amount) = count(*) AND count(DISTINCT n.currency) = 1 THEN sum(d.paid_amount) END AS paid_amount,
    CASE WHEN count(d.not_paid_amount) = count(*) AND count(DISTINCT n.currency) = 1 THEN sum(d.not_paid_amount) END AS not_paid_amount,
    CASE WHEN count(d.cancelled_amount) = count(*) AND count(DISTINCT n.currency) = 1 THEN sum(d.cancelled_amount) END AS cancelled_amount,
    CASE WHEN count(d.other_amount) = count(*) AND count(DISTINCT n.currency) = 1 THEN sum(d.other_amount) END AS other_amount,
    CASE WHEN count(d.refunds) = count(*) THEN sum(d.refunds) END AS refunds,
    CASE WHEN count(d.refund_amount) = count(*) AND count(DISTINCT n.currency) = 1 THEN sum(d.refund_amount) END AS refund_amount,
    CASE WHEN count(d.payments) = count(*) AND count(DISTINCT n.currency) = 1 THEN sum(d.payments) END AS payments,
    CASE WHEN count(d.received) = count(*) AND count(DISTINCT n.currency) = 1 THEN sum(d.received) END AS received
  FROM named AS n
  LEFT JOIN sealed AS d
    ON d.merchant_code = n.merchant_code AND d.day = n.day AND d.revision = n.day_revision
  GROUP BY n.merchant_code
),
figures AS (
  SELECT
    s.period,
    s.merchant_code,
    s.revision,
    f.figure,
    CASE f.figure
      WHEN 'days' THEN CAST(s.sealed_days AS decimal(38,3))
      WHEN 'invoices' THEN CAST(s.invoices AS decimal(38,3))
      WHEN 'paid' THEN CAST(s.paid AS decimal(38,3))
      WHEN 'not_paid' THEN CAST(s.not_paid AS decimal(38,3))
      WHEN 'cancelled' THEN CAST(s.cancelled AS decimal(38,3))
      WHEN 'other' THEN CAST(s.other AS decimal(38,3))
      WHEN 'paid_amount' THEN CAST(s.paid_amount AS decimal(38,3))
      WHEN 'not_paid_amount' THEN CAST(s.not_paid_amount AS decimal(38,3))
      WHEN 'cancelled_amount' THEN CAST(s.cancelled_amount AS decimal(38,3))
      WHEN 'other_amount' THEN CAST(s.other_amount AS decimal(38,3))
      WHEN 'refunds' THEN CAST(s.refunds AS decimal(38,3))
      WHEN 'refund_amount' THEN CAST(s.refund_amount AS decimal(38,3))
      WHEN 'payments' THEN CAST(s.payments AS decimal(38,3))
      WHEN 'received' THEN CAST(s.received AS decimal(38,3))
    END AS in_statement,
    CASE
      WHEN f.figure = 'days' THEN CAST(coalesce(t.found_days, 0) AS decimal(38,3))
      -- The sum of no days is zero.
      WHEN t.named_days IS NULL THEN 0
      WHEN f.figure = 'invoices' THEN t.invoices
      WHEN f.figure = 'paid' THEN t.paid
      WHEN f.figure = 'not_paid' THEN t.not_paid
      WHEN f.figure = 'cancelled' THEN t.cancelled
      WHEN f.figure = 'other' THEN t.other
      WHEN f.figure = 'paid_amount' THEN t.paid_amount
      WHEN f.figure = 'not_paid_amount' THEN t.not_paid_amount
      WHEN f.figure = 'cancelled_amount' THEN t.cancelled_amount
      WHEN f.figure = 'other_amount' THEN t.other_amount
      WHEN f.figure = 'refunds' THEN t.refunds
      WHEN f.figure = 'refund_amount' THEN t.refund_amount
      WHEN f.figure = 'payments' THEN t.payments
      WHEN f.figure = 'received' THEN t.received
    END AS of_days
  FROM stated AS s
  LEFT JOIN sums AS t ON t.merchant_code = s.merchant_code
  CROSS JOIN (VALUES ('days'), ('invoices'), ('paid'), ('not_paid'), ('cancelled'), ('other'), ('paid_amount'), ('not_paid_amount'), ('cancelled_amount'), ('other_amount'), ('refunds'), ('refund_amount'), ('payments'), ('received')) AS f (figure)
)
SELECT period, merchant_code, revision, figure, in_statement, of_days
FROM figures
WHERE in_statement IS DISTINCT FROM of_days
ORDER BY merchant_code, figure;
