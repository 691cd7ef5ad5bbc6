import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';
import { objectKey } from '../sealed-files.ts';

export const MAIL_NOT_DELIVERED: NamedQuery = {
  name: 'mail-not-delivered',
  description:
    'Recipients whose mail is not known to be delivered, and sealed days without a ledger, in the last 10 days.',
  sql: `-- "accepted" is sent, and no event has come since: events are best effort, so it may have arrived.
WITH ledgers AS (
  SELECT
    m.day,
    regexp_extract(${objectKey('m')}, '/merchant=([^/]+)/', 1) AS merchant_code,
    CAST(regexp_extract(${objectKey('m')}, '/r([0-9]+)[.]json$', 1) AS bigint) AS revision,
    m.kind,
    m.recipients
  FROM mail AS m
  WHERE ${sinceDays(10, 'm.day')}
), entries AS (
  SELECT
    l.day, l.merchant_code, l.revision, l.kind, r.status, r.reason, r.reached_at, r.recipient,
    row_number() OVER (PARTITION BY l.day, l.merchant_code, l.revision, r.recipient ORDER BY r.round DESC) AS age,
    max(CASE WHEN r.status = 'delivered' THEN 1 ELSE 0 END)
      OVER (PARTITION BY l.day, l.merchant_code, l.revision, r.recipient) AS arrived
  FROM ledgers AS l
  CROSS JOIN UNNEST(l.recipients) AS r (recipient, status, message_id, reached_at, reason, round)
)
SELECT e.day, e.merchant_code, e.revision, e.kind, e.status, e.reason, e.reached_at, e.recipient
FROM entries AS e
-- Each resend begins a new round. It takes nothing back: a mail that was delivered in any round is delivered.
WHERE e.age = 1 AND e.arrived = 0
UNION ALL
SELECT d.day, d.merchant_code, d.revision, NULL, 'no ledger', NULL, NULL, NULL
FROM latest_days AS d
LEFT JOIN ledgers AS l
  ON l.day = d.day AND l.merchant_code = d.merchant_code AND l.revision = d.revision
WHERE l.day IS NULL AND ${sinceDays(10, 'd.day')}
ORDER BY 1 DESC, 2, 3, 8`,
};
