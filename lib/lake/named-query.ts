/** A query that stands ready in the Athena console. */
export interface NamedQuery {
  name: string;
  /** What it answers. */
  description: string;
  sql: string;
}

/** A condition that reads the partitions of the last so many days only; merchants ahead of UTC are included. */
export function sinceDays(days: number, column = 'day'): string {
  return `${column} >= CAST(CAST(current_date - INTERVAL '${days}' DAY AS date) AS varchar)`;
}
