import { fileOf, objectKey } from '#lake/sql/sealed-files.ts';
import { known, sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

const COUNTS_PER_DAY: NamedQuery = {
  name: 'counts-per-day',
  description:
    'Invoices by state, what came in and approved refunds, per day and currency, over all merchants, in the last 35 days. Basis: invoices by the day on which they were made, money and refunds by their own day.',
  sql: `-- Paid: by the last reading of the day. The currency is null on pages sealed without one.
SELECT
  day,
  currency,
  count(*) AS merchants,
  count_if(NOT balanced) AS unbalanced,
  -- A count that the service did not state is unknown, not 0: these days are left out of the sum.
  count_if(invoices IS NULL) AS without_counts,
  sum(invoices) AS invoices,
  sum(paid) AS paid,
  sum(not_paid) AS not_paid,
  sum(cancelled) AS cancelled,
  sum(other) AS other,
  sum(paid_amount) AS paid_amount,
  ${['came_in', 'approved_refund_count', 'approved_refunds'].map((name) => known(name)).join(',\n  ')}
FROM all_days
WHERE ${sinceDays(35)}
GROUP BY day, currency
ORDER BY day DESC, currency`,
};

const UNBALANCED_DAYS: NamedQuery = {
  name: 'unbalanced-days',
  description: 'Days whose newest revision does not balance, and what does not agree, in the last 35 days.',
  sql: `SELECT day, merchant_code, revision, pulled_at, differences, invoices, paid, not_paid, cancelled, other
FROM all_days
WHERE NOT balanced AND ${sinceDays(35)}
ORDER BY day DESC, merchant_code`,
};

const MERCHANTS_WITHOUT_A_PAGE: NamedQuery = {
  name: 'merchants-without-a-page',
  description:
    'Days of the last 10 without a sealed page of a merchant that is in the registry, from the day on since which the lake knows it.',
  sql: `SELECT CAST(c.day AS varchar) AS day, m.code AS merchant_code, m.name
FROM merchants AS m
CROSS JOIN UNNEST(sequence(current_date - INTERVAL '10' DAY, current_date - INTERVAL '1' DAY)) AS c (day)
LEFT JOIN (SELECT business_date, merchant_code FROM all_days WHERE ${sinceDays(10)}) AS d
  ON d.business_date = c.day AND d.merchant_code = m.code
WHERE d.business_date IS NULL AND CAST(m.since AS date) <= c.day
ORDER BY 1 DESC, 2`,
};

const LATE_CHANGES: NamedQuery = {
  name: 'late-changes',
  description:
    'What each later revision changed in the figures of its day, in the last 10 days. Basis: a revision less the one before. It reads a file for each revision: 11,000 a day with 10,000 merchants, so give it few days.',
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
    CAST(d.refunds.total AS decimal(38,3)) AS refund_amount,
    CAST(d.received.sum AS decimal(38,3)) AS came_in
  FROM days AS d
  WHERE ${sinceDays(10, 'd.day')}
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
ORDER BY newer.day DESC, newer.merchant_code, newer.revision`,
};

function samePage(alias: string): string {
  return `${alias}.day = r.day AND ${alias}.merchant_code = r.merchant_code`;
}

/** SQL for what a record was on one side of a change; null where it was not there. */
function sideOf(side: string): string {
  return `max(CASE WHEN side = '${side}' THEN status END) AS status_${side},
    max(CASE WHEN side = '${side}' THEN CAST(amount AS decimal(38,3)) END) AS amount_${side}`;
}

const LATE_CHANGES_BY_RECORD: NamedQuery = {
  name: 'late-changes-by-record',
  description:
    'Invoices and refunds that a later revision of their day has and the one before has not, or the other way round, or with another status or amount, in the last 10 days. It reads three files for each revision.',
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
),
-- Each revision beside the one before.
sides AS (
  SELECT r.*, r.revision AS changed_by, 'after' AS side
  FROM records AS r
  WHERE EXISTS (SELECT 1 FROM sealed AS s WHERE ${samePage('s')} AND s.revision = r.revision - 1)
  UNION ALL
  SELECT r.*, r.revision + 1 AS changed_by, 'before' AS side
  FROM records AS r
  WHERE EXISTS (SELECT 1 FROM sealed AS s WHERE ${samePage('s')} AND s.revision = r.revision + 1)
),
changes AS (
  SELECT
    day,
    merchant_code,
    changed_by AS revision,
    kind,
    id,
    ${['before', 'after'].map(sideOf).join(',\n    ')}
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
ORDER BY day DESC, merchant_code, revision, kind, id`,
};

const MAIL_NOT_DELIVERED: NamedQuery = {
  name: 'mail-not-delivered',
  description:
    'Recipients whose mail is not known to be delivered, and sealed days without a ledger, in the last 10 days, as the last merge found them.',
  sql: `-- "accepted" is sent, and no event has come since: events are best effort, so it may have arrived.
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
    WHERE ${sinceDays(10, 'm.day')}
  )
),
merged AS (
  SELECT day, max(merged_at) AS merged_at
  FROM history_merges
  WHERE what = 'mail' AND ${sinceDays(10)}
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
WHERE l.day IS NULL AND ${sinceDays(10, 'd.day')}
ORDER BY 1 DESC, 2, 3, 8`,
};

export const PAGE_QUERIES: readonly NamedQuery[] = [
  COUNTS_PER_DAY,
  UNBALANCED_DAYS,
  MERCHANTS_WITHOUT_A_PAGE,
  LATE_CHANGES,
  LATE_CHANGES_BY_RECORD,
  MAIL_NOT_DELIVERED,
];
