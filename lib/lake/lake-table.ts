import type { LakeColumn } from './lake-column.ts';

/** The partition columns, in the order of the key. Values are strings. */
export type PartitionColumn = DateColumn | 'merchant';
/** The partition columns with a date, `YYYY-MM-DD`. */
type DateColumn = 'day' | 'noted_on';

/** A table over objects of the data bucket. */
export interface LakeTable {
  name: string;
  /** What a row is. */
  description: string;
  /** The beginning of its objects' keys. The partition columns follow it, such as `day=<D>/merchant=<M>/`. */
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

/** Whether the values of a partition column are dates. */
export function isDateColumn(column: PartitionColumn): column is DateColumn {
  return column !== 'merchant';
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
