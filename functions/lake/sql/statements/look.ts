import { LATEST_CHANGE, MARKERS_KEPT_DAYS } from '#records/storage/change-marker.ts';
import { DEPLOYED, MET, NONE } from './views.ts';
import { MOST_DAYS } from './merge.ts';
import { quotedText } from '../quoting.ts';
import { listed } from './columns.ts';
import type { LookColumn } from './views.ts';

/** The most slices that one look gives. The rest waits for the next look. */
const MOST_SLICES = 250;
/** The most ranges of days in the condition of a view, because the length of a view is limited. Older days are read from the JSON files. */
export const MOST_RANGES = 400;
/** A marker may be up to this many minutes older than a merge, and stand for a change that the merge did not see. */
const MARGIN_MINUTES = LATEST_CHANGE / 60_000;

interface Look {
  /** The first UTC date of the markers to read, `YYYY-MM-DD`: the answer of {@link lookSince}. */
  since: string;
  /** When the look began: ISO 8601, UTC. */
  now: string;
}

/** SQL for an ISO 8601 moment in UTC. */
export function moment(text: string): string {
  return `CAST(from_iso8601_timestamp(${text}) AT TIME ZONE 'UTC' AS timestamp(6))`;
}

function isoText(expression: string): string {
  return `coalesce(date_format(${expression}, '%Y-%m-%dT%H:%i:%s.000Z'), '${NONE}')`;
}

/** SQL for the newest ranges of merged days as one text, such as `2026-11-19 to 2026-11-20, 2026-11-04 to 2026-11-05`. */
function ranges(what: 'days' | 'mail'): string {
  const all = `array_agg(p."first" || ' to ' || p."last" ORDER BY p."first" DESC) FILTER (WHERE p.kind = 'merged' AND p.what = '${what}')`;
  return `coalesce(array_join(slice(${all}, 1, ${MOST_RANGES}), ', '), '${NONE}')`;
}

function count(what: 'days' | 'mail'): string {
  return `CAST(coalesce(sum(p.days_in_it) FILTER (WHERE p.kind = 'late' AND p.what = '${what}'), 0) AS varchar)`;
}

const SLICE = `MAP(ARRAY['what', 'days', 'from', 'to'], ARRAY[p.what, p.days, p."first", p."last"])`;
const LATE_SINCE = `min(p.waiting_since) FILTER (WHERE p.kind = 'late')`;
const OF_DAYS = `FILTER (WHERE p.kind = 'merged' AND p.what = 'days')`;

/**
 * What the function `lake` compares. The views say what `history_state` says only if the look that wrote it was also the last one that began
 * to replace them. So they are not believed after a look that died between two of them, nor after two looks at the same time.
 */
const KEPT = `s.pointed_by = v.begun_by AND s.merged_days = f.merged_days AND s.merged_mail_days = f.merged_mail_days`;
const COMPARED = {
  views_differ: `CAST(NOT (${KEPT}) AS varchar)`,
  pointed_by: `IF(${KEPT}, s.pointed_by, CAST(uuid() AS varchar))`,
  // Else a look has begun and has not ended. It may be alive, and write an older condition into a view after this look has written it.
  is_alone: `CAST(v.begun_by IN (s.pointed_by, s.pointed_by || '${MET}') OR v.begun_by LIKE '${DEPLOYED}%' AS varchar)`,
};

function answers(now: string): Record<Exclude<LookColumn, keyof typeof COMPARED>, string> {
  const slices = `array_agg(${SLICE} ORDER BY p.has_failed, p.failed_at, p.what, p."first" DESC) FILTER (WHERE p.kind = 'late')`;
  return {
    slices: `coalesce(json_format(CAST(slice(${slices}, 1, ${MOST_SLICES}) AS json)), '[]')`,
    days_waiting: count('days'),
    mail_waiting: count('mail'),
    waiting_since: isoText(LATE_SINCE),
    behind: `CAST(coalesce(${LATE_SINCE} < ${now} - INTERVAL '1' DAY, false) AS varchar)`,
    complete_from: `coalesce(max_by(p."first", p."last") ${OF_DAYS}, '${NONE}')`,
    complete_to: `coalesce(max(p."last") ${OF_DAYS}, '${NONE}')`,
    merged_days: ranges('days'),
    merged_mail_days: ranges('mail'),
    looked_at: isoText(now),
    settled_at: isoText(`coalesce(min(p.changed_at), ${now})`),
  };
}

function named(expressions: Record<string, string>, spaces: number): string {
  const columns = Object.entries(expressions).map(([name, expression]) => `${expression} AS ${name}`);
  return listed(columns, spaces);
}

/**
 * What is merged, and what has to be: one row of {@link LOOK_COLUMNS}.
 *
 * A day waits when it has a marker that its newest merge may not have seen, when somebody has asked for it since (`askFor`), or when it was
 * never merged. Days from the first known one to yesterday are merged even if nobody sealed anything, so that there are no gaps. Today (UTC) and
 * later days stay in the JSON files. If nothing was merged for as long as markers are kept, every day waits. A day whose last merge failed
 * (`note`) waits, too: its marker may go before it is merged. It is a slice of its own, after all others.
 */
export function look({ since, now: nowText }: Look): string {
  const now = moment(quotedText(nowText));
  const today = `CAST(${now} AS date)`;
  return `WITH events AS (
  SELECT
    "what" AS what,
    "day" AS day,
    ${moment('"notedat"')} AS noted_at,
    CAST(NULL AS timestamp(6)) AS merged_at,
    CAST(NULL AS timestamp(6)) AS failed_at
  FROM "changes"
  WHERE "noted_on" >= ${quotedText(since)}
  UNION ALL
  SELECT what, day, NULL, merged_at, NULL
  FROM history_merges
  WHERE what IN ('days', 'mail')
  UNION ALL
  -- What somebody asks for is in the next merge, however soon it comes.
  SELECT split_part(what, ' ', 1), day, merged_at - INTERVAL '${MARGIN_MINUTES}' MINUTE, NULL, NULL
  FROM history_merges
  WHERE what IN ('days asked', 'mail asked')
  UNION ALL
  SELECT split_part(what, ' ', 1), day, NULL, NULL, merged_at
  FROM history_merges
  WHERE what IN ('days failed', 'mail failed')
),
-- A change counts when the newest merge of its day may not have seen it.
known AS (
  SELECT
    what,
    CAST(day AS date) AS date,
    max(merged_at) AS merged_at,
    max(last_merge) < ${now} - INTERVAL '${MARKERS_KEPT_DAYS - 1}' DAY AS is_too_long_ago,
    coalesce(max(failed_at) >= coalesce(max(merged_at), max(failed_at)), false) AS has_failed,
    max(failed_at) AS failed_at,
    min(noted_at) FILTER (
      WHERE newest IS NULL OR noted_at > newest - INTERVAL '${MARGIN_MINUTES}' MINUTE
    ) AS changed_at
  FROM (
    SELECT *, max(merged_at) OVER (PARTITION BY what, day) AS newest, max(merged_at) OVER () AS last_merge
    FROM events
  )
  GROUP BY what, day
),
-- Every day from the first known one to yesterday, also days of which nothing is known.
days AS (
  SELECT
    k.what,
    c.date,
    IF(c.date = k.date, k.changed_at) AS changed_at,
    c.date = k.date AND k.has_failed AS has_failed,
    IF(c.date = k.date, k.failed_at) AS failed_at,
    CASE
      WHEN c.date = k.date AND k.merged_at IS NOT NULL AND k.changed_at IS NULL AND NOT k.has_failed AND NOT k.is_too_long_ago
        THEN 'merged'
      WHEN c.date < ${today} THEN 'late'
      ELSE 'open'
    END AS kind
  FROM (SELECT *, lead(date, 1, ${today}) OVER (PARTITION BY what ORDER BY date) AS following FROM known) AS k
  CROSS JOIN UNNEST(sequence(k.date, greatest(k.date, k.following - INTERVAL '1' DAY))) AS c (date)
),
-- Merged days without a gap are one part. So are up to ${MOST_DAYS} days that wait. A day that failed is alone, so that it stops no other day.
parts AS (
  SELECT
    n.what,
    n.kind,
    n.has_failed,
    -- What failed longest ago comes first. Otherwise ten damaged days would keep all others that failed from being tried.
    IF(n.has_failed, max(n.failed_at)) AS failed_at,
    CAST(min(n.date) AS varchar) AS "first",
    CAST(max(n.date) AS varchar) AS "last",
    count(*) AS days_in_it,
    array_join(array_agg(CAST(n.date AS varchar) ORDER BY n.date) FILTER (WHERE n.kind = 'late'), ',') AS days,
    min(n.changed_at) AS changed_at,
    -- A day without a marker waits since its end.
    min(coalesce(n.changed_at, CAST(n.date + INTERVAL '1' DAY AS timestamp(6)))) AS waiting_since
  FROM (SELECT *, row_number() OVER (PARTITION BY what, kind, has_failed ORDER BY date DESC) AS place FROM days) AS n
  GROUP BY
    n.what,
    n.kind,
    n.has_failed,
    CASE
      WHEN n.kind = 'merged' THEN date_diff('day', DATE '1970-01-01', n.date) + n.place
      WHEN n.has_failed THEN n.place
      ELSE (n.place - 1) / ${MOST_DAYS}
    END
)
SELECT
  f.*,
${named(COMPARED, 2)}
FROM (
  SELECT
${named(answers(now), 4)}
  FROM parts AS p
) AS f
CROSS JOIN history_state AS s
CROSS JOIN history_views AS v`;
}

/**
 * The first UTC date of the markers that the next look must read: a day before the oldest change that was not merged at the last look.
 * Before the first look, it is a date before all markers.
 */
export function lookSince(): string {
  return `SELECT coalesce(CAST(CAST(settled_at AS date) - INTERVAL '1' DAY AS varchar), '2000-01-01') AS since
FROM history_state`;
}
