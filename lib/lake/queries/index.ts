import type { NamedQuery } from '../named-query.ts';
import { sinceDays } from '../named-query.ts';
import { STATEMENTS_AGAINST_DAYS } from './statements-against-days.ts';
import { fileOf, objectKey } from '#lake/sql/sealed-files.ts';

const UNPAID_BY_AGE: NamedQuery = {
  name: 'unpaid-by-age',
  description: 'Invoices not paid, per merchant, currency and age, of the last 90 days.',
  sql: `-- 0 is "not_paid" where the registry's invoiceStatuses says so; the contract shows no values. Ages count to today in UTC. The currency is that of the invoice's day; null on pages sealed without one.
SELECT
  merchant_code,
  currency,
  CASE
    WHEN age_in_days <= 1 THEN '0 to 1 days'
    WHEN age_in_days <= 7 THEN '2 to 7 days'
    WHEN age_in_days <= 30 THEN '8 to 30 days'
    ELSE 'over 30 days'
  END AS age,
  count(*) AS invoices,
  sum(amount) AS amount,
  count_if(expires_at < current_date) AS expired
FROM (
  SELECT
    i.merchant_code, d.currency, i.amount, i.expires_at,
    date_diff('day', i.business_date, current_date) AS age_in_days
  FROM all_invoices AS i
  JOIN all_days AS d ON d.day = i.day AND d.merchant_code = i.merchant_code
  WHERE i.invoice_status = 0 AND ${sinceDays(90, 'i.day')} AND ${sinceDays(90, 'd.day')}
)
GROUP BY 1, 2, 3
ORDER BY merchant_code, currency, min(age_in_days)`,
};

const UNBALANCED_DAYS: NamedQuery = {
  name: 'unbalanced-days',
  description: 'Days whose newest revision does not balance, and what does not agree, in the last 35 days.',
  sql: `SELECT day, merchant_code, revision, pulled_at, differences, invoices, paid, not_paid, cancelled, other
FROM all_days
WHERE NOT balanced AND ${sinceDays(35)}
ORDER BY day DESC, merchant_code`,
};

const REFUNDS_ON_BOTH_BASES: NamedQuery = {
  name: 'refunds-on-both-bases',
  description:
    "Refunds per merchant and day by the date of the refund and by the date of the sale, by currency and status, in the last 35 days. By the sale: every sealed refund of the day's sales, whenever it was given. A row without a day has those without a usable date.",
  sql: `WITH refunds AS (
  SELECT
    f.merchant_code, d.currency, f.status, f.amount, f.refund_at, f.transaction_date,
    row_number() OVER (
      PARTITION BY f.merchant_code, f.id ORDER BY f.updated_at DESC NULLS LAST, f.day DESC
    ) AS reading
  FROM all_refunds AS f
  JOIN all_days AS d ON d.day = f.day AND d.merchant_code = f.merchant_code
  WHERE ${sinceDays(35, 'f.day')} AND ${sinceDays(35, 'd.day')}
)
SELECT
  CAST(b.day AS varchar) AS day,
  r.merchant_code,
  r.currency,
  r.status,
  count_if(b.basis = 'refund') AS refunds,
  coalesce(sum(CASE WHEN b.basis = 'refund' THEN r.amount END), 0) AS refund_amount,
  count_if(b.basis = 'sale') AS refunds_of_sales,
  coalesce(sum(CASE WHEN b.basis = 'sale' THEN r.amount END), 0) AS refund_amount_of_sales
FROM refunds AS r
CROSS JOIN UNNEST(
  ARRAY['refund', 'sale'],
  ARRAY[r.refund_at, CAST(r.transaction_date AS date)]
) AS b (basis, day)
-- A refund may be on the pages of several days: its newest reading counts.
WHERE r.reading = 1 AND (b.day IS NULL OR b.day >= current_date - INTERVAL '35' DAY)
GROUP BY b.day, r.merchant_code, r.currency, r.status
ORDER BY day DESC NULLS FIRST, merchant_code, currency, status`,
};

const PERHAPS_PAID_TWICE: NamedQuery = {
  name: 'perhaps-paid-twice',
  description:
    'Paid invoices of the last 35 days with the same reference, amount and customer, also of different days. It reads columns with personal data, and shows none.',
  sql: `-- 1 is "paid" where the registry's invoiceStatuses says so; the contract shows no values.
SELECT
  merchant_code,
  reference_number,
  currency,
  amount,
  count(*) AS invoices,
  array_agg(id ORDER BY day, id) AS ids,
  min(day) AS first_day,
  max(day) AS last_day
FROM (
  SELECT
    i.merchant_code, i.id, i.day, d.currency, i.amount, trim(i.reference_number) AS reference_number,
    -- The phone number, else the e-mail address, else the name.
    coalesce(
      nullif(trim(i.customer_phone_number), ''),
      nullif(lower(trim(i.customer_email)), ''),
      nullif(trim(i.customer_name), '')
    ) AS customer
  FROM latest_invoices AS i
  JOIN latest_days AS d ON d.day = i.day AND d.merchant_code = i.merchant_code
  WHERE i.invoice_status = 1 AND ${sinceDays(35, 'i.day')} AND ${sinceDays(35, 'd.day')}
)
WHERE reference_number <> '' AND customer IS NOT NULL
GROUP BY merchant_code, reference_number, currency, amount, customer
HAVING count(*) > 1
ORDER BY merchant_code, last_day DESC, reference_number`,
};

const MAIL_NOT_DELIVERED: NamedQuery = {
  name: 'mail-not-delivered',
  description:
    'Recipients whose mail is not known to be delivered, and sealed days without a ledger, in the last 10 days, as the last merge found them.',
  sql: `-- "accepted" is sent, and no event has come since: events are best effort, so it may have arrived.
WITH entries AS (
  SELECT
    m.day, m.merchant_code, m.revision, m.kind, e.status, e.reason, e.reached_at, e.recipient,
    row_number() OVER (PARTITION BY m.day, m.merchant_code, m.revision, e.recipient ORDER BY e.round DESC) AS age,
    max(CASE WHEN e.status = 'delivered' THEN 1 ELSE 0 END)
      OVER (PARTITION BY m.day, m.merchant_code, m.revision, e.recipient) AS arrived
  FROM mail_history AS m
  CROSS JOIN UNNEST(CAST(json_parse(m.entries) AS array(
    ROW("to" varchar, "status" varchar, "messageid" varchar, "at" varchar, "reason" varchar, "round" bigint)
  ))) AS e (recipient, status, message_id, reached_at, reason, round)
  WHERE ${sinceDays(10, 'm.day')}
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

const LATE_CHANGES: NamedQuery = {
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

const LATE_CHANGES_BY_RECORD: NamedQuery = {
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

const HISTORY_OF_A_MERCHANT: NamedQuery = {
  name: 'history-of-a-merchant',
  description: "One merchant's invoices per month, currency and status over a year.",
  sql: `-- Invoices by the month in which they were made, with the status at the last reading of their day. Put the merchant's code here. The currency is null on pages sealed without one. Merged days are read from the merchant's part of the history.
SELECT
  substr(i.day, 1, 7) AS month,
  d.currency,
  i.invoice_status,
  count(*) AS invoices,
  sum(i.amount) AS amount
FROM all_invoices AS i
JOIN all_days AS d ON d.day = i.day AND d.merchant_code = i.merchant_code
WHERE i.merchant_code = '700001' AND ${sinceDays(365, 'i.day')}
  AND d.merchant_code = '700001' AND ${sinceDays(365, 'd.day')}
GROUP BY 1, 2, 3
ORDER BY 1, 2, 3`,
};

const COUNTS_PER_DAY: NamedQuery = {
  name: 'counts-per-day',
  description:
    'Invoices by state and refunds, per day and currency, over all merchants, in the last 35 days.',
  sql: `-- Paid: by the last reading of the day. What is paid later is in no row. The currency is null on pages sealed without one.
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
  sum(refunds) AS refunds,
  sum(refund_amount) AS refund_amount
FROM all_days
WHERE ${sinceDays(35)}
GROUP BY day, currency
ORDER BY day DESC, currency`,
};

export const NAMED_QUERIES: readonly NamedQuery[] = [
  COUNTS_PER_DAY,
  UNBALANCED_DAYS,
  REFUNDS_ON_BOTH_BASES,
  LATE_CHANGES,
  LATE_CHANGES_BY_RECORD,
  UNPAID_BY_AGE,
  PERHAPS_PAID_TWICE,
  MAIL_NOT_DELIVERED,
  HISTORY_OF_A_MERCHANT,
  STATEMENTS_AGAINST_DAYS,
];
