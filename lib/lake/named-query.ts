/** A query that is ready to use in the Athena console. */
export interface NamedQuery {
  name: string;
  description: string;
  sql: string;
}

/** A condition that only reads the partitions of the last days, up to this number. It includes merchants ahead of UTC. */
export function sinceDays(days: number, column = 'day'): string {
  return `${column} >= CAST(CAST(current_date - INTERVAL '${days}' DAY AS date) AS varchar)`;
}
