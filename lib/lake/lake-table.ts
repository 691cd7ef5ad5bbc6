import type { LakeColumn } from './lake-column.ts';

/** The partition columns, in the order in which they stand in a key; values are strings. */
export type PartitionColumn = 'day' | 'merchant';

/** A table over objects of the data bucket. */
export interface LakeTable {
  name: string;
  /** What a row is. */
  description: string;
  /** Where its objects stand: keys begin so, and go on with `day=<D>/merchant=<M>/`. */
  prefix: string;
  format: 'json' | 'csv';
  partitions: readonly PartitionColumn[];
  columns: readonly LakeColumn[];
}

/**
 * The key under which a partition's objects stand, with `${day}` where Athena puts the value. A table without
 * `merchant` reads all that is below the day.
 */
export function partitionTemplate({ prefix, partitions }: LakeTable): string {
  return prefix + partitions.map((column) => `${column}=\${${column}}/`).join('');
}

/** The same objects as the table, with the merchant as a second partition column. */
export function byMerchant(table: LakeTable): LakeTable {
  return {
    ...table,
    name: `merchant_${table.name}`,
    description: `${table.description} For the history of one merchant: asks for its code in the query, and reads its objects only.`,
    partitions: ['day', 'merchant'],
  };
}
