import { sinceDays } from '../named-query.ts';
import type { NamedQuery } from '../named-query.ts';

export const UNBALANCED_DAYS: NamedQuery = {
  name: 'unbalanced-days',
  description: 'Days whose newest revision does not balance, and what does not agree, in the last 35 days.',
  sql: `SELECT day, merchant_code, revision, pulled_at, differences, invoices, paid, not_paid, cancelled, other
FROM all_days
WHERE NOT balanced AND ${sinceDays(35)}
ORDER BY day DESC, merchant_code`,
};
