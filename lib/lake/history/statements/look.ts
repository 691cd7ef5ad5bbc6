import { LATEST_CHANGE } from '#domain/changes/change-marker.ts';
import { MOST_DAYS } from '../slice.ts';
import { listed } from './columns.ts';

/** The most slices that one look gives. The rest waits for the next look. */
export const MOST_SLICES = 250;
/** The most ranges of days in the condition of a view, which has a bounded text. Older days are read from the JSON files. */
const MOST_RANGES = 400;
/** A marker of so many minutes before a merge may stand for something that the merge did not see. */
const MARGIN_MINUTES = LATEST_CHANGE / 60_000;

interface Look {
  /** The first UTC date of the markers to read, `YYYY-MM-DD`: the answer of {@link lookSince}. */
  since: string;
  /** When the look began: ISO 8601, UTC. */
  now: string;
}

interface LookAt extends Look {
  /** The first day to merge again, `YYYY-MM-DD`. */
  from: string;
  /** The last one. */
  to: string;
}

/** The columns of a look's one row, all of them text and never null. */
export const LOOK_COLUMNS = [
  'merged',
  'merged_mail',
  'slices',
  'days_waiting',
  'waiting_since',
  'behind',
  'complete_from',
  'complete_to',
  'merged_days',
  'merged_mail_days',
  'looked_at',
  'settled_at',
] as const;
/** A column of a look's row. */
export type LookColumn = (typeof LOOK_COLUMNS)[number];

/** SQL for an ISO 8601 moment in UTC. */
function moment(text: string): string {
  return `CAST(from_iso8601_timestamp(${text}) AT TIME ZONE 'UTC' AS timestamp(6))`;
}

/** SQL for the text of a moment, empty for none. */
function isoText(expression: string): string {
  return `coalesce(date_format(${expression}, '%Y-%m-%dT%H:%i:%s.000Z'), '')`;
}

/** SQL for all ranges of merged days as one text. */
function ranges(what: 'days' | 'mail', one: string, between: string, none: string): string {
  return `(SELECT coalesce(array_join(slice(array_agg(${one} ORDER BY "first" DESC), 1, ${MOST_RANGES}), '${between}'), '${none}') FROM ranges WHERE what = '${what}')`;
}

const CONDITION = `'day BETWEEN ''' || "first" || ''' AND ''' || "last" || ''''`;
const FOR_PEOPLE = `"first" || ' to ' || "last"`;

function answers(now: string): Record<LookColumn, string> {
  return {
    merged: ranges('days', CONDITION, ' OR ', 'false'),
    merged_mail: ranges('mail', CONDITION, ' OR ', 'false'),
    slices: `(SELECT coalesce(json_format(CAST(slice(array_agg(
    MAP(ARRAY['what', 'days', 'from', 'to'], ARRAY[what, days, "first", "last"]) ORDER BY what, "first" DESC
  ), 1, ${MOST_SLICES}) AS json)), '[]') FROM slices)`,
    days_waiting: `(SELECT CAST(count(DISTINCT day) AS varchar) FROM late)`,
    waiting_since: `(SELECT ${isoText('min(waiting_since)')} FROM late)`,
    behind: `(SELECT CAST(coalesce(min(waiting_since) < ${moment(`'${now}'`)} - INTERVAL '1' DAY, false) AS varchar) FROM late)`,
    complete_from: `coalesce((SELECT max_by("first", "last") FROM ranges WHERE what = 'days'), '')`,
    complete_to: `coalesce((SELECT max("last") FROM ranges WHERE what = 'days'), '')`,
    merged_days: ranges('days', FOR_PEOPLE, ', ', ''),
    merged_mail_days: ranges('mail', FOR_PEOPLE, ', ', ''),
    looked_at: isoText(moment(`'${now}'`)),
    settled_at: `(SELECT ${isoText(`coalesce(min(changed_at), ${moment(`'${now}'`)})`)} FROM state WHERE waiting)`,
  };
}

/**
 * What is merged, and what has to be: one row of {@link LOOK_COLUMNS}.
 *
 * A day waits when it has a marker that its newest merge may not have seen, or was never merged. Days from the first merged one to
 * yesterday are merged even if nobody sealed anything, so that there are no gaps. Today (UTC) and later days stay in the JSON files.
 */
export function look({ since, now }: Look, again = 'false', more = ''): string {
  const today = `CAST(CAST(${moment(`'${now}'`)} AS date) AS varchar)`;
  return `WITH changed AS (
  SELECT "what" AS what, "day" AS day, ${moment('"notedat"')} AS noted_at
  FROM "changes"
  WHERE "noted_on" >= '${since}'
),
merges AS (
  SELECT what, day, max(merged_at) AS merged_at
  FROM history_merges
  GROUP BY what, day
),
-- Every day from the first merged one to yesterday, also days without any pull.
calendar AS (
  SELECT f.what, CAST(c.date AS varchar) AS day
  FROM (SELECT what, min(business_date) AS "first" FROM history_merges GROUP BY what) AS f
  CROSS JOIN UNNEST(sequence(f."first", greatest(f."first", CAST(${moment(`'${now}'`)} AS date) - INTERVAL '1' DAY))) AS c (date)
),
known AS (
  SELECT what, day FROM changed
  UNION SELECT what, day FROM merges
  UNION SELECT what, day FROM calendar${more}
),
state AS (
  SELECT
    k.what,
    k.day,
    min(c.noted_at) AS changed_at,
    arbitrary(m.merged_at) IS NULL OR min(c.noted_at) IS NOT NULL OR ${again} AS waiting
  FROM known AS k
  LEFT JOIN merges AS m ON m.what = k.what AND m.day = k.day
  LEFT JOIN changed AS c
    ON c.what = k.what AND c.day = k.day
    AND (m.merged_at IS NULL OR c.noted_at > m.merged_at - INTERVAL '${MARGIN_MINUTES}' MINUTE)
  GROUP BY k.what, k.day
),
-- What could be merged by now. A day without a marker waits since its end.
late AS (
  SELECT what, day, coalesce(changed_at, CAST(CAST(day AS date) + INTERVAL '1' DAY AS timestamp(6))) AS waiting_since
  FROM state
  WHERE waiting AND day < ${today}
),
slices AS (
  SELECT what, array_join(array_agg('''' || day || '''' ORDER BY day), ',') AS days, min(day) AS "first", max(day) AS "last"
  FROM (SELECT what, day, (row_number() OVER (PARTITION BY what ORDER BY day DESC) - 1) / ${MOST_DAYS} AS part FROM late)
  GROUP BY what, part
),
-- Merged days without a gap.
ranges AS (
  SELECT what, min(day) AS "first", max(day) AS "last"
  FROM (
    SELECT what, day, date_add('day', -row_number() OVER (PARTITION BY what ORDER BY day), CAST(day AS date)) AS part
    FROM state
    WHERE NOT waiting
  )
  GROUP BY what, part
)
SELECT
${listed(
  LOOK_COLUMNS.map((name) => `${answers(now)[name]} AS ${name}`),
  2,
)}`;
}

/** The same as {@link look} for days that are to be merged whatever is known of them: the first load, or a repair. */
export function lookAt({ from, to, ...when }: LookAt): string {
  return look(
    when,
    `k.day BETWEEN '${from}' AND '${to}'`,
    `
  UNION SELECT w.what, CAST(c.date AS varchar)
    FROM UNNEST(sequence(DATE '${from}', DATE '${to}')) AS c (date)
    CROSS JOIN (VALUES 'days', 'mail') AS w (what)`,
  );
}

/**
 * The first UTC date of the markers that the next look must read: a day before the oldest thing that was not merged at the last look.
 * Without a look before, it is a date before all markers.
 */
export function lookSince(): string {
  return `SELECT coalesce(CAST(CAST(settled_at AS date) - INTERVAL '1' DAY AS varchar), '2000-01-01') AS since
FROM history_state`;
}
