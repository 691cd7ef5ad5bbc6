/**
 * Some days to merge at once, as texts of SQL. `look` gives them ready to use; the state machine passes them on.
 * At most {@link MOST_DAYS}: each statement then opens at most 80 partitions (5 months, 16 buckets), and Athena's limit is 100.
 */
export interface Slice {
  /** A list such as `'2026-11-19','2026-11-20'`. */
  days: string;
  /** The first day, `YYYY-MM-DD`, without quotes. */
  from: string;
  /** The last day, `YYYY-MM-DD`, without quotes. */
  to: string;
}

/** The most days that are merged at once. */
export const MOST_DAYS = 5;

/**
 * SQL for "is a row of the slice" in a table of the history. The range of `business_date` is a literal: Iceberg then opens only the
 * files of these days, and refuses to commit when another statement wrote days of the range in the meantime.
 */
export function inSlice(alias: string, { days, from, to }: Slice): string {
  return `${alias}.business_date BETWEEN DATE '${from}' AND DATE '${to}' AND ${alias}.day IN (${days})`;
}
