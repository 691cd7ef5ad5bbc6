import { newestSealed } from '../sealed-files.ts';
import { quotedText, quotedTexts } from '../quoting.ts';
import { inSlice } from './merge.ts';
import type { Slice } from './merge.ts';
import { lookSince, moment } from './look.ts';

/**
 * Records that something was done or asked for.
 * @param what `mail` when the mail of days was merged, `days failed` or `mail failed` when a merge of them failed, or a work on the whole
 *   history, such as `merge asked`. Nobody knows which day of a slice that failed is to blame. So the next look makes a slice of each of
 *   them, until it is merged: one bad file then stops its own day only.
 * @param at when the merge or the run began, ISO 8601, UTC; @param days default: that of `at`
 */
export function note(what: string, at: string, days: readonly string[] = [at.slice(0, 10)]): string {
  return `INSERT INTO history_merges (day, business_date, what, merged_at)
SELECT c.day, CAST(c.day AS date), ${quotedText(what)}, ${moment(quotedText(at))}
FROM UNNEST(ARRAY[${quotedTexts(days)}]) AS c (day)`;
}

/**
 * Records that days were merged. A day with a page whose newest revision is not in `days_history` is left out: it is still waiting.
 * A day without pages is complete.
 * @param mergedAt when the merge of the slice began, before its first statement: ISO 8601, UTC
 */
export function noteDaysMerged(slice: Slice, mergedAt: string): string {
  return `${note('days', mergedAt, slice.days)}
WHERE c.day NOT IN (
  SELECT d."day"
  FROM ${newestSealed(`"days" WHERE "day" IN (${quotedTexts(slice.days)})`)} AS d
  LEFT JOIN days_history AS h
    ON h.merchant_code = d."merchantcode" AND h.day = d."day" AND ${inSlice('h', slice)}
  WHERE h.revision IS DISTINCT FROM d."revision"
)`;
}

/**
 * Notes that somebody asks for all days from one to another: for the first load, or to be sure. Every look takes these days out of the views and
 * gives them to be merged, until a merge that began later. So it also holds when the run that was asked dies or reaches its limit.
 * @param days the first and the last one, `YYYY-MM-DD`; @param now ISO 8601, UTC
 */
export function askFor({ from, to }: { from: string; to: string }, now: string): string {
  return `INSERT INTO history_merges (day, business_date, what, merged_at)
SELECT CAST(c.date AS varchar), c.date, w.what, ${moment(quotedText(now))}
FROM UNNEST(sequence(DATE ${quotedText(from)}, DATE ${quotedText(to)})) AS c (date)
CROSS JOIN (VALUES 'days asked', 'mail asked') AS w (what)`;
}

/** The same of every day that was merged. */
export function askForMerged(now: string): string {
  return `INSERT INTO history_merges (day, business_date, what, merged_at)
SELECT DISTINCT m.day, m.business_date, m.what || ' asked', ${moment(quotedText(now))}
FROM history_merges AS m
WHERE m.what IN ('days', 'mail')`;
}

/**
 * Where a run begins: one row with the date `since` of the markers to read ({@link lookSince}), and `notes`: JSON text with the newest time
 * of each kind of note that is not of a single day, such as `{"merge done":"2026-11-23T08:50:00.000000Z"}`.
 */
export function lookAtNotes(): string {
  return `SELECT s.since, coalesce(json_format(CAST(n.notes AS json)), '{}') AS notes
FROM (
  ${lookSince()}
) AS s
CROSS JOIN (
  SELECT map_agg(m.what, m.at) AS notes
  FROM (
    SELECT what, date_format(max(merged_at), '%Y-%m-%dT%H:%i:%s.%fZ') AS at
    FROM history_merges
    WHERE what NOT IN ('days', 'mail', 'days failed', 'mail failed')
    GROUP BY what
  ) AS m
) AS n`;
}
