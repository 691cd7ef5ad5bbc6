import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';
import { fileOf, objectKey } from '../sealed-files.ts';

export const LATE_CHANGES_BY_RECORD: NamedQuery = {
  name: 'late-changes-by-record',
  description:
    'Invoices and refunds whose status or amount a later revision of their day changed, in the last 10 days.',
  sql: `WITH sealed AS (
  SELECT
    day,
    merchantcode AS merchant_code,
    revision,
    ${fileOf('invoices', 'json')} AS invoice_file,
    ${fileOf('refunds', 'json')} AS refund_file
  FROM days
  WHERE ${sinceDays(10)}
),
records AS (
  SELECT s.day, s.merchant_code, s.revision, 'invoice' AS kind, i.id, i.invoice_status AS status, i.amount
  FROM invoices AS i
  JOIN sealed AS s ON i.day = s.day AND ${objectKey('i')} = s.invoice_file
  UNION ALL
  SELECT s.day, s.merchant_code, s.revision, 'refund' AS kind, r.id, r.status, r.amount
  FROM refunds AS r
  JOIN sealed AS s ON r.day = s.day AND ${objectKey('r')} = s.refund_file
)
SELECT
  newer.day,
  newer.merchant_code,
  newer.revision,
  newer.kind,
  newer.id,
  older.status AS status_before,
  newer.status,
  CAST(older.amount AS decimal(38,3)) AS amount_before,
  CAST(newer.amount AS decimal(38,3)) AS amount
FROM records AS newer
JOIN records AS older
  ON older.day = newer.day
  AND older.merchant_code = newer.merchant_code
  AND older.revision = newer.revision - 1
  AND older.kind = newer.kind
  AND older.id = newer.id
WHERE newer.status <> older.status OR newer.amount <> older.amount
ORDER BY newer.day DESC, newer.merchant_code, newer.revision, newer.kind, newer.id`,
};
