import { newestSealed } from '../../sealed-files.ts';
import { inSlice } from '../slice.ts';
import type { Slice } from '../slice.ts';

interface Merged extends Slice {
  /** When the merge of the slice began, before its first statement: ISO 8601, UTC. */
  mergedAt: string;
}

function note(what: 'days' | 'mail', mergedAt: string): string {
  return `INSERT INTO history_merges (day, business_date, what, merged_at)
SELECT c.day, CAST(c.day AS date), '${what}', CAST(from_iso8601_timestamp('${mergedAt}') AT TIME ZONE 'UTC' AS timestamp(6))`;
}

/**
 * Records that days were merged. A day with a page whose newest revision is not in `days_history` is left out: it is still waiting.
 * A day without pages is complete.
 */
export function noteDaysMerged({ mergedAt, ...slice }: Merged): string {
  return `${note('days', mergedAt)}
FROM UNNEST(ARRAY[${slice.days}]) AS c (day)
WHERE c.day NOT IN (
  SELECT d."day"
  FROM ${newestSealed(`"days" WHERE "day" IN (${slice.days})`)} AS d
  LEFT JOIN days_history AS h
    ON h.merchant_code = d."merchantcode" AND h.day = d."day" AND ${inSlice('h', slice)}
  WHERE h.revision IS DISTINCT FROM d."revision"
)`;
}

/** Records that the mail of days was merged. */
export function noteMailMerged({ mergedAt, days }: Merged): string {
  return `${note('mail', mergedAt)}
FROM UNNEST(ARRAY[${days}]) AS c (day)`;
}
