import { isDateColumn, partitionTemplate } from './lake-table.ts';
import type { LakeTable, PartitionColumn } from './lake-table.ts';

function projected(column: PartitionColumn, firstDay: string): Record<string, string> {
  const of = `projection.${column}`;
  if (!isDateColumn(column)) return { [`${of}.type`]: 'injected' };
  return {
    [`${of}.type`]: 'date',
    [`${of}.format`]: 'yyyy-MM-dd',
    [`${of}.interval`]: '1',
    [`${of}.interval.unit`]: 'DAYS',
    [`${of}.range`]: `${firstDay},NOW+1DAYS`,
  };
}

/**
 * The table's parameters that tell Athena its partitions without a list. Athena's "now" is in UTC, and a
 * merchant can be a day ahead of it.
 *
 * @param firstDay the first day of the tables
 * @param bucketUrl such as `s3://bucket/`
 */
export function projectionOf(table: LakeTable, firstDay: string, bucketUrl: string): Record<string, string> {
  return {
    'projection.enabled': 'true',
    ...Object.fromEntries(table.partitions.flatMap((column) => Object.entries(projected(column, firstDay)))),
    'storage.location.template': bucketUrl + partitionTemplate(table),
  };
}
