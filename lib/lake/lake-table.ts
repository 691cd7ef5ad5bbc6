import type { PeriodKind } from '#records/period/period.ts';
import type { LakeColumn } from './lake-column.ts';

/**
 * The partition columns, in the order of the key. Values are strings. The name of a period is in two of them: its year, and what
 * follows the year. So one table has periods of all kinds, and a condition on the year is enough to leave out all other years.
 */
export type PartitionColumn = 'day' | 'noted_on' | 'merchant' | 'year' | 'part';

/** What each partition column adds to the key. Athena replaces `${day}` by the value. */
const IN_KEY: Record<PartitionColumn, string> = {
  day: 'day=${day}/',
  noted_on: 'noted_on=${noted_on}/',
  merchant: 'merchant=${merchant}/',
  year: 'period=${year}-',
  part: '${part}/',
};

/** A table over objects of the data bucket. */
export interface LakeTable {
  name: string;
  /** What a row is. */
  description: string;
  /** The beginning of its objects' keys. The partition columns follow it, such as `day=<D>/merchant=<M>/`. */
  prefix: string;
  format: 'json' | 'csv';
  partitions: readonly PartitionColumn[];
  /** The kinds of periods of a table with the partition column `part`. */
  periods?: readonly PeriodKind[];
  columns: readonly LakeColumn[];
}

/** The key prefix of a partition's objects. A table without `merchant` reads all objects of the day or period. */
export function partitionTemplate({ prefix, partitions }: LakeTable): string {
  return prefix + partitions.map((column) => IN_KEY[column]).join('');
}

/** The beginning of the keys of all objects of a table, such as `days/day=`. */
export function keysBegin(table: LakeTable): string {
  const [beginning = table.prefix] = partitionTemplate(table).split('$');
  return beginning;
}

/** The same objects, with the merchant as the last partition column. */
export function byMerchant(table: LakeTable): LakeTable {
  return {
    ...table,
    name: `merchant_${table.name}`,
    description: `${table.description} For the history of one merchant: asks for its code in the query, and reads its objects only.`,
    partitions: [...table.partitions, 'merchant'],
  };
}
