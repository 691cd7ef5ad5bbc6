import { moment } from './look.ts';

interface Asked {
  /** The first day to merge again, `YYYY-MM-DD`. */
  from: string;
  /** The last one. */
  to: string;
  /** ISO 8601, UTC. */
  now: string;
}

/**
 * Notes that somebody asks for all days from one to another: for the first load, or to be sure. Every look takes these days out of the views and
 * gives them to be merged, until a merge that began later. So it also holds when the execution that was asked dies or reaches its limit.
 */
export function askFor({ from, to, now }: Asked): string {
  return `INSERT INTO history_merges (day, business_date, what, merged_at)
SELECT CAST(c.date AS varchar), c.date, w.what, ${moment(`'${now}'`)}
FROM UNNEST(sequence(DATE '${from}', DATE '${to}')) AS c (date)
CROSS JOIN (VALUES 'days asked', 'mail asked') AS w (what)`;
}
