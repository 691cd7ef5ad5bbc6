import type { LakeColumn } from './lake-column.ts';

/** The partition columns, in the order of the key. Values are strings. */
export type PartitionColumn = 'day' | 'merchant';

/** A table over objects of the data bucket. */
export interface LakeTable {
  name: string;
  /** What a row is. */
  description: string;
  /** The beginning of its objects' keys. `day=<D>/merchant=<M>/` follows it. */
  prefix: string;
  format: 'json' | 'csv';
  partitions: readonly PartitionColumn[];
  columns: readonly LakeColumn[];
}

/**
 * The key prefix of a partition's objects. Athena replaces `${day}` by the value. A table without
 * `merchant` reads all objects of the day.
 */
export function partitionTemplate({ prefix, partitions }: LakeTable): string {
  return prefix + partitions.map((column) => `${column}=\${${column}}/`).join('');
}

/** The same objects, with the merchant as a second partition column. */
export function byMerchant(table: LakeTable): LakeTable {
  return {
    ...table,
    name: `merchant_${table.name}`,
    description: `${table.description} For the history of one merchant: asks for its code in the query, and reads its objects only.`,
    partitions: ['day', 'merchant'],
  };
}
