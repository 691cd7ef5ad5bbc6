import type { ViewColumn, ViewType } from '../lake-view.ts';

/** A column of a view that Daybook adds. It is never null, unless `nullable`. */
export function ownColumn(
  name: string,
  type: ViewType,
  expression: string,
  meaning: string,
  more: { unit?: string; nullable?: boolean } = {},
): ViewColumn {
  return { name, type, expression, meaning, contract: 'Daybook', nullable: false, ...more };
}

/** An ISO 8601 moment as a timestamp in UTC. Glue has no type for a timestamp with its zone. @param member its SQL */
export function utcColumn(name: string, member: string, meaning: string, nullable = false): ViewColumn {
  const expression = `CAST(from_iso8601_timestamp(${member}) AT TIME ZONE 'UTC' AS timestamp(3))`;
  return ownColumn(name, 'timestamp(3)', expression, meaning, { unit: 'UTC', nullable });
}
