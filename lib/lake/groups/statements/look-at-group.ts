import { groupTables, isOfGroup } from '../lake-group.ts';
import type { LakeGroup } from '../lake-group.ts';

/** The most months that are merged at once: 6 months of 16 buckets are 96 partitions, and Athena opens at most 100. */
const MOST_MONTHS = 6;

/**
 * Finds the days where a group's copy differs from the history: new and corrected days, merchants that joined or left the group,
 * and whatever an earlier run did not finish. It reads the figures of the days only, over all time.
 *
 * One row with one column `windows`: JSON text such as `[{"from":"2026-07-01","to":"2026-11-30"}]`, at most
 * {@link MOST_MONTHS} months each.
 */
export function lookAtGroup(databaseName: string, group: LakeGroup): string {
  const { days } = groupTables(databaseName, group);
  return `SELECT coalesce(
  json_format(CAST(array_agg(MAP(ARRAY['from', 'to'], ARRAY[w.first_day, w.last_day]) ORDER BY w.first_day) AS json)),
  '[]'
) AS windows
FROM (
  SELECT
    CAST(min(m.month) AS varchar) AS first_day,
    CAST(date_add('day', -1, date_add('month', 1, max(m.month))) AS varchar) AS last_day
  FROM (
    SELECT DISTINCT date_trunc('month', coalesce(h.business_date, g.business_date)) AS month
    FROM (SELECT * FROM days_history WHERE ${isOfGroup('merchant_code', group)}) AS h
    FULL OUTER JOIN ${days.name} AS g
      ON g.business_date = h.business_date AND g.merchant_code = h.merchant_code AND g.revision = h.revision
    WHERE h.revision IS NULL OR g.revision IS NULL
  ) AS m
  GROUP BY (year(m.month) * 12 + month(m.month) - 1) / ${MOST_MONTHS}
) AS w`;
}
