import { partitionTemplate } from './lake-table.ts';
import type { LakeTable } from './lake-table.ts';

const OF_DAYS = {
  'projection.day.type': 'date',
  'projection.day.format': 'yyyy-MM-dd',
  'projection.day.interval': '1',
  'projection.day.interval.unit': 'DAYS',
};

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
    ...OF_DAYS,
    'projection.day.range': `${firstDay},NOW+1DAYS`,
    ...(table.partitions.includes('merchant') ? { 'projection.merchant.type': 'injected' } : {}),
    'storage.location.template': bucketUrl + partitionTemplate(table),
  };
}
