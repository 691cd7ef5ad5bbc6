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
 * each bucket, and a file of deletes for each data file with rows of a corrected page: the file of a lookback day that was merged since
 * OPTIMIZE, or what OPTIMIZE left.
 */
export function objectsOfMonth({ merchants, buckets, merges, lookback, bytes }: MonthOfFiles): number {
  const used = Math.min(buckets, merchants);
  const optimised = Math.max(1, Math.ceil(bytes / buckets / TARGET_FILE));
  let perBucket = optimised;
  for (let merge = 1; merge <= merges; merge += 1) {
    perBucket += 1 + optimised + Math.min(lookback, merge) - 1;
  }
  return used * perBucket + METADATA + 2 * merges;
}
