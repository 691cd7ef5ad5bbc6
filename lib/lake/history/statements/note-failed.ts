import type { Slice } from '../slice.ts';
import { moment } from './look.ts';

interface Failed extends Pick<Slice, 'days'> {
  /** `days` if the rows and figures failed, `mail` if the mail did. */
  what: string;
  /** When the merge of the slice began: ISO 8601, UTC. */
  failedAt: string;
}

/**
 * Records that the merge of a slice failed. Nobody knows which of its days is to blame. So the next look makes a slice of each of them, until
 * it is merged: one bad file then stops its own day only.
 */
export function noteFailed({ what, days, failedAt }: Failed): string {
  return `INSERT INTO history_merges (day, business_date, what, merged_at)
SELECT c.day, CAST(c.day AS date), '${what} failed', ${moment(`'${failedAt}'`)}
FROM UNNEST(ARRAY[${days}]) AS c (day)`;
}
