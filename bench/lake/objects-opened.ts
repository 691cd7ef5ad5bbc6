/** What decides how many objects a month's question opens. */
export interface MonthOfFiles {
  merchants: number;
  /** Of the partitioning. */
  buckets: number;
  /** Daily merges since the month was last optimised. */
  merges: number;
  /** Days that each daily merge changes besides its own. */
  lookback: number;
  /** Bytes of the month in Parquet. */
  bytes: number;
}

/** The engine's target for a data file: Athena's default. Bytes. */
export const TARGET_FILE = 512_000_000;
/** The table's metadata, the list of manifests and the manifests of a month. */
const METADATA = 4;

/**
 * The most objects that a question about one month opens. OPTIMIZE leaves whole files in each bucket. A daily merge adds a data file to
 * each bucket, and to each data file that holds a row of a corrected page a file of deletes. A lookback day's rows are in one data file of
 * each bucket: what a merge brought, or what OPTIMIZE left.
 */
export function objectsOfMonth({ merchants, buckets, merges, lookback, bytes }: MonthOfFiles): number {
  const used = Math.min(buckets, merchants);
  const optimised = Math.max(1, Math.ceil(bytes / buckets / TARGET_FILE));
  const perBucket = optimised + merges * (1 + lookback);
  return used * perBucket + METADATA + 2 * merges;
}
