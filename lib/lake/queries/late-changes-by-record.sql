-- Invoices and refunds that a later revision of their day has and the one before has not, or the other way round, or with another status or amount, in the last 10 days. It reads three files for each revision.
WITH sealed AS (
  SELECT
    day,
    merchantcode AS merchant_code,
    revision,
    filter("files", f -> f."table" = 'invoices' AND f."format" = 'json')[1]."key" AS invoice_file,
    filter("files", f -> f."table" = 'refunds' AND f."format" = 'json')[1]."key" AS refund_file
  FROM days
  WHERE day >= CAST(CAST(current_date - INTERVAL '10' DAY AS date) AS varchar)
),
records AS (
  SELECT s.day, s.merchant_code, s.revision, 'invoice' AS kind, i.id, i.invoice_status AS status, i.amount
  FROM invoices AS i
  JOIN sealed AS s ON i.day = s.day AND regexp_extract(i."$path", '^s3://[^/]+/(.*)$', 1) = s.invoice_file
  UNION ALL
  SELECT s.day, s.merchant_code, s.revision, 'refund' AS kind, r.id, r.status, r.amount
  FROM refunds AS r
  JOIN sealed AS s ON r.day = s.day AND regexp_extract(r."$path", '^s3://[^/]+/(.*)$', 1) = s.refund_file
),
-- Each revision beside the one before.
sides AS (
  SELECT r.*, r.revision AS changed_by, 'after' AS side
  FROM records AS r
  WHERE EXISTS (SELECT 1 FROM sealed AS s WHERE s.day = r.day AND s.merchant_code = r.merchant_code AND s.revision = r.revision - 1)
  UNION ALL
  SELECT r.*, r.revision + 1 AS changed_by, 'before' AS side
  FROM records AS r
  WHERE EXISTS (SELECT 1 FROM sealed AS s WHERE s.day = r.day AND s.merchant_code = r.merchant_code AND s.revision = r.revision + 1)
),
changes AS (
  SELECT
    day,
    merchant_code,
    changed_by AS revision,
    kind,
    id,
    max(CASE WHEN side = 'before' THEN status END) AS status_before,
    max(CASE WHEN side = 'before' THEN CAST(amount AS decimal(38,3)) END) AS amount_before,
    max(CASE WHEN side = 'after' THEN status END) AS status_after,
    max(CASE WHEN side = 'after' THEN CAST(amount AS decimal(38,3)) END) AS amount_after
  FROM sides
  GROUP BY day, merchant_code, changed_by, kind, id
)
SELECT
  day,
  merchant_code,
  revision,
  kind,
  id,
  CASE WHEN amount_before IS NULL THEN 'new' WHEN amount_after IS NULL THEN 'vanished' ELSE 'changed' END AS change,
  status_before,
  status_after,
  amount_before,
  amount_after
FROM changes
WHERE status_before IS DISTINCT FROM status_after OR amount_before IS DISTINCT FROM amount_after
ORDER BY day DESC, merchant_code, revision, kind, id;
