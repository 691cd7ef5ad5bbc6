import { Readable } from 'node:stream';
import { storageError } from '../errors/storage-error.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** All merchants of the group are in one object. */
const GROUP_PAGE = /^statements\/period=[^/]+\/group=/;

/**
 * Bytes by start or pattern of the key, the first that fits. Daybook's objects are far smaller, and checked
 * when written: functions read those of forty merchants side by side in limited memory.
 */
const BOUNDS: readonly (readonly [string | RegExp, number])[] = [
  // Notices of a day on which 10,000 merchants are missing.
  ['mail/ops/watch/', 2 * MIB],
  ['mail/ops/', 64 * KIB],
  // A ledger: 100 recipients and some ten rounds, see `MOST_LEDGER_ENTRIES`.
  ['mail/', MIB],
  ['mail-stops/', 64 * KIB],
  // A manifest: 20,000 ids of missing refunds, and names that the service invented.
  ['days/', 4 * MIB],
  // A group's page: 20,000 merchants with some 500 bytes each, and some 300 for each whose figures were corrected.
  [GROUP_PAGE, 32 * MIB],
  // A statement: 31 days with some 1 KiB each. Each name of a status of refunds takes up to 7 KiB.
  ['statements/', MIB],
  ['checked/', 64 * KIB],
  // A history: up to 466 days with some 2 KiB each, more where money comes over many days.
  ['history/', 4 * MIB],
  ['alerts/', MIB],
  // A watch list as CSV, which may have other columns.
  ['config/refunds/', MIB],
  // The registry: 10,000 merchants with 3 KiB each.
  ['config/', 32 * MIB],
  ['plan/', 64 * KIB],
  // The pages of a proof: `MOST_PAGES`, each with some 130 bytes, or 250 with the longest names.
  ['proofs/pages/', 64 * MIB],
  ['proofs/', 64 * KIB],
];

const OTHERS = MIB;

export function largestObject(key: string): number {
  const bound = BOUNDS.find(([start]) =>
    typeof start === 'string' ? key.startsWith(start) : start.test(key),
  );
  return bound?.[1] ?? OTHERS;
}

/**
 * Each value that does not fit the schema costs many times its size. A group's page has some forty for each
 * of 20,000 merchants, the record of notices thirty thousand.
 */
export function mostValues(key: string): number {
  return GROUP_PAGE.test(key) ? 1_000_000 : 100_000;
}

/** The most bytes of what an alert mail says that its ledger keeps. */
export const LARGEST_SAID = 64 * KIB;

/** An entry has 640 bytes at most, so the state of a sent mail can always be recorded. */
export const MOST_LEDGER_ENTRIES = Math.floor((MIB - 16 * KIB - LARGEST_SAID) / 640);

/** Characters of a person's own words in each entry, such as why an address is suppressed. */
export const LONGEST_OWN_WORDS = 60;

/** The most bytes of the registry, at any key. */
export const LARGEST_REGISTRY = 32 * MIB;

/** UTF-16. An answer of the service has 8 MiB at most. */
export const LONGEST_LINE = 16 * MIB;

/** Bytes: rows unpack to ten times their size, nothing of ours to ten thousand times. @param packed bytes */
export function mostUnpacked(packed: number): number {
  return 64 * MIB + 64 * packed;
}

/**
 * Reads an object's body as UTF-8, up to the limit: a stated length may be wrong. `undefined` beyond it.
 * @throws {StorageError} when it breaks off; the client's own error mapping does not see that
 */
export async function boundedText(
  body: unknown,
  key: string,
  mostBytes: number,
): Promise<string | undefined> {
  if (!(body instanceof Readable)) return '';
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    // Leaving the loop destroys the stream, and with it the connection.
    for await (const chunk of body) {
      const part = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      bytes += part.length;
      if (bytes > mostBytes) return undefined;
      chunks.push(part);
    }
  } catch (error) {
    throw storageError('GetObject', key, error);
  }
  return Buffer.concat(chunks, bytes).toString('utf8');
}
