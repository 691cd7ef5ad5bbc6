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
    m.round,
    m.recipients
  FROM mail AS m
  WHERE ${sinceDays(10, 'm.day')}
)
SELECT l.day, l.merchant_code, l.revision, l.kind, r.status, r.reason, r.reached_at, r.recipient
FROM ledgers AS l
CROSS JOIN UNNEST(l.recipients) AS r (recipient, status, message_id, reached_at, reason, round)
-- What became of earlier rounds is past: each resend begins a new one.
WHERE r.status <> 'delivered' AND r.round = l.round
UNION ALL
SELECT d.day, d.merchant_code, d.revision, NULL, 'no ledger', NULL, NULL, NULL
FROM latest_days AS d
LEFT JOIN ledgers AS l
  ON l.day = d.day AND l.merchant_code = d.merchant_code AND l.revision = d.revision
WHERE l.day IS NULL AND ${sinceDays(10, 'd.day')}
ORDER BY 1 DESC, 2, 3, 8`,
};
