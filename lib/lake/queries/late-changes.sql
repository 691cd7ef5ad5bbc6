-- What each later revision changed in the figures of its day, in the last 10 days. Basis: a revision less the one before. It reads a file for each revision: 11,000 a day with 10,000 merchants, so give it few days.
WITH sealed AS (
  SELECT
    d.day,
    d.merchantcode AS merchant_code,
    d.revision,
    d.pulledat AS pulled_at,
    d.counts.total AS invoices,
    d.counts.paid AS paid,
    d.counts.notpaid AS not_paid,
    d.counts.cancelled AS cancelled,
    d.refunds.count AS refunds,
    CAST(d.refunds.total AS decimal(38,3)) AS refund_amount,
    CAST(d.received.sum AS decimal(38,3)) AS came_in
  FROM days AS d
  WHERE d.day >= CAST(CAST(current_date - INTERVAL '10' DAY AS date) AS varchar)
)
SELECT
  newer.day,
  newer.merchant_code,
  newer.revision,
  newer.pulled_at,
  newer.invoices - older.invoices AS invoices_change,
  newer.paid - older.paid AS paid_change,
  newer.not_paid - older.not_paid AS not_paid_change,
  newer.cancelled - older.cancelled AS cancelled_change,
  newer.refunds - older.refunds AS refunds_change,
  newer.refund_amount - older.refund_amount AS refund_amount_change,
  newer.came_in - older.came_in AS came_in_change
FROM sealed AS newer
JOIN sealed AS older
  ON older.day = newer.day
  AND older.merchant_code = newer.merchant_code
  AND older.revision = newer.revision - 1
ORDER BY newer.day DESC, newer.merchant_code, newer.revision;
