const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * The most bytes that an object may have, by the start of its key; the first that fits counts. What Daybook writes is
 * far below, and is held to it when it is written. So whatever stands there, reading costs a bounded time and memory:
 * functions read forty merchants' objects side by side.
 */
const BOUNDS: readonly (readonly [string, number])[] = [
  // What ops were told of a day on which 10,000 merchants are missing.
  ['mail/ops/watch/', 2 * MIB],
  ['mail/ops/', 64 * KIB],
  // A ledger: 100 recipients and some ten rounds, see `MOST_LEDGER_ENTRIES`.
  ['mail/', MIB],
  ['mail-stops/', 64 * KIB],
  // A manifest: 20,000 refund ids that the service does not know any more, and names that it made up.
  ['days/', 4 * MIB],
  ['checked/', 64 * KIB],
  ['history/', 512 * KIB],
  ['alerts/', MIB],
  // A watch list, as CSV with columns of its own.
  ['config/refunds/', MIB],
  // The registry: 10,000 merchants with 3 KiB each.
  ['config/', 32 * MIB],
  ['plan/daily.json', 64 * KIB],
  ['plan/alert.json', 64 * KIB],
  ['plan/open/', 64 * KIB],
  // Items of a long backfill, and what Step Functions writes of 10,000 children that failed.
  ['plan/', 128 * MIB],
];

const OTHERS = MIB;

/** The most bytes that the object of this key may have. */
export function largestObject(key: string): number {
  return BOUNDS.find(([start]) => key.startsWith(start))?.[1] ?? OTHERS;
}

/**
 * The most entries that a ledger may come to. One has 640 bytes at most, whatever events say of it later: so what became of
 * a mail that went out can always be written down.
 */
export const MOST_LEDGER_ENTRIES = Math.floor((MIB - 16 * KIB) / 640);

/** The most characters of a person's own words, such as the reason of a stop, that a ledger keeps of each entry. */
export const LONGEST_OWN_WORDS = 60;

/** The most bytes that the registry may have, wherever it stands. */
export const LARGEST_REGISTRY = 32 * MIB;

/** The most characters (UTF-16) that a line of a sealed file may have: an answer of the service has 8 MiB at most. */
export const LONGEST_LINE = 16 * MIB;

/**
 * The most bytes that a sealed file may come to unpacked. Rows of invoices come to ten times the packed size; a file that
 * is ten thousand times as large unpacked is none that Daybook wrote.
 *
 * @param packed its size as it is stored, bytes
 */
export function mostUnpacked(packed: number): number {
  return 64 * MIB + 64 * packed;
}
