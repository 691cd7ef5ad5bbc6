import { newestSealed } from '../sealed-files.ts';
import { quotedText, quotedTexts } from '../quoting.ts';
import { inSlice } from './merge.ts';
import type { Slice } from './merge.ts';
import { lookSince, moment } from './look.ts';

interface Merged extends Slice {
  /** When the merge of the slice began, before its first statement: ISO 8601, UTC. */
  mergedAt: string;
}

/** @param at ISO 8601, UTC */
function note(what: string, at: string, days: readonly string[]): string {
  return `INSERT INTO history_merges (day, business_date, what, merged_at)
SELECT c.day, CAST(c.day AS date), ${quotedText(what)}, ${moment(quotedText(at))}
FROM UNNEST(ARRAY[${quotedTexts(days)}]) AS c (day)`;
}

/**
 * Records that days were merged. A day with a page whose newest revision is not in `days_history` is left out: it is still waiting.
 * A day without pages is complete.
 */
export function noteDaysMerged({ mergedAt, ...slice }: Merged): string {
  return `${note('days', mergedAt, slice.days)}
WHERE c.day NOT IN (
  SELECT d."day"
  FROM ${newestSealed(`"days" WHERE "day" IN (${quotedTexts(slice.days)})`)} AS d
  LEFT JOIN days_history AS h
    ON h.merchant_code = d."merchantcode" AND h.day = d."day" AND ${inSlice('h', slice)}
  WHERE h.revision IS DISTINCT FROM d."revision"
)`;
}

export function noteMailMerged({ mergedAt, days }: Merged): string {
  return note('mail', mergedAt, days);
}

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
  return note(`${what} failed`, failedAt, days);
}

interface Asked {
  /** The first day to merge again, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** ISO 8601, UTC. */
  now: string;
}

/**
 * Notes that somebody asks for all days from one to another: for the first load, or to be sure. Every look takes these days out of the views and
 * gives them to be merged, until a merge that began later. So it also holds when the run that was asked dies or reaches its limit.
 */
export function askFor({ from, to, now }: Asked): string {
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

/** Notes that work on the whole history is asked for or done, such as `merge asked`. @param at ISO 8601, UTC: when its run began */
export function noteWork(what: string, at: string): string {
  return note(what, at, [at.slice(0, 10)]);
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
