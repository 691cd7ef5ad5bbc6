import { partitionTemplate } from './lake-table.ts';
import type { LakeTable, PartitionColumn } from './lake-table.ts';
import { firstYear, periodParts } from './period-parts.ts';

/** A date of each day or year. Athena's "now" is in UTC. */
function dates(format: string, unit: 'DAYS' | 'YEARS', range: string): Record<string, string> {
  return { type: 'date', format, interval: '1', 'interval.unit': unit, range };
}

function projected(
  column: PartitionColumn,
  { periods = [] }: LakeTable,
  firstDay: string,
): Record<string, string> {
  switch (column) {
    case 'merchant':
      return { type: 'injected' };
    case 'day':
    case 'noted_on':
      // A merchant can be a day ahead of UTC.
      return dates('yyyy-MM-dd', 'DAYS', `${firstDay},NOW+1DAYS`);
    case 'year':
      // A period is sealed when it is over: by then, its year has begun in UTC as well.
      return dates('yyyy', 'YEARS', `${firstYear(firstDay)},NOW`);
    case 'part':
      return { type: 'enum', values: periodParts(periods).join(',') };
  }
}

/**
 * The table's parameters that tell Athena its partitions without a list.
 *
 * @param firstDay the first day of the tables
 * @param bucketUrl such as `s3://bucket/`
 */
export function projectionOf(table: LakeTable, firstDay: string, bucketUrl: string): Record<string, string> {
  const columns = table.partitions.flatMap((column) =>
    Object.entries(projected(column, table, firstDay)).map(([name, value]): [string, string] => [
      `projection.${column}.${name}`,
      value,
    ]),
  );
  return {
    'projection.enabled': 'true',
    ...Object.fromEntries(columns),
    'storage.location.template': bucketUrl + partitionTemplate(table),
  };
}
