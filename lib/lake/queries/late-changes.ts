import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const LATE_CHANGES: NamedQuery = {
  name: 'late-changes',
  description: 'What each later revision changed in the figures of its day, in the last 35 days.',
  sql: `WITH sealed AS (
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
    CAST(d.refunds.total AS decimal(38,3)) AS refund_amount
  FROM days AS d
  WHERE ${sinceDays(35, 'd.day')}
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
  newer.refund_amount - older.refund_amount AS refund_amount_change
FROM sealed AS newer
JOIN sealed AS older
  ON older.day = newer.day
  AND older.merchant_code = newer.merchant_code
  AND older.revision = newer.revision - 1
ORDER BY newer.day DESC, newer.merchant_code, newer.revision`,
};
