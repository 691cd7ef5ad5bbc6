/** A query that is ready to use in the Athena console. */
export interface NamedQuery {
  name: string;
  /** What it counts, of which time, and on which basis. */
  description: string;
  sql: string;
}

/** A condition that only reads the partitions of the last days, up to this number. It includes merchants ahead of UTC. */
export function sinceDays(days: number, column = 'day'): string {
  return `${column} >= CAST(CAST(current_date - INTERVAL '${days}' DAY AS date) AS varchar)`;
}

/** The same for this month and so many before. */
export function sinceMonths(months: number): string {
  return `day >= CAST(CAST(date_trunc('month', current_date) - INTERVAL '${months}' MONTH AS date) AS varchar)`;
}

/** A column with a sum. What is unknown of one row is unknown of the sum. @param as its name */
export function known(column: string, as = column): string {
  return `CASE WHEN count(${column}) = count(*) THEN sum(${column}) END AS ${as}`;
}

/** SQL for a part of each hundred, with two digits; null where there is nothing, or the part is unknown. */
export function rateOf(part: string, whole: string): string {
  return `round(100 * CAST(${part} AS double) / nullif(CAST(${whole} AS double), 0), 2)`;
}
