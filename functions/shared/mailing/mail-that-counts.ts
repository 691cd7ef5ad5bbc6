import { StoredObjectError } from '#aws/s3-objects.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { continuedBy } from '#domain/ledger/ledger-continued.ts';
import { hasOnlyPartialRounds } from '#domain/ledger/ledger-rounds.ts';
import { hadNothingToSend, isReceived } from '#domain/ledger/ledger-standing.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { ledgerKey } from '#domain/storage/keys.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { LedgerStore } from './ledger-store.ts';

/** The most revisions without mail that are looked at: an hourly run for two weeks makes this many. */
const MOST_LOOKED_BACK = 400;

/** The stores that it reads. */
export interface MailRecords {
  snapshots: Pick<SnapshotStore, 'revision'>;
  ledgers: Pick<LedgerStore, 'read'>;
}

/** A merchant's day, and the merchant's zone. */
export interface MailedDay {
  merchantCode: string;
  day: string;
  timeZone: string;
}

/**
 * What became of a day's mail: the ledger of the revision, or of the newest one before it that was to be
 * mailed. A revision that had nothing to send is skipped, even if it was sent again, unless that mail arrived.
 * If it was sent again to some recipients only, those rounds count for them.
 *
 * @param newest the ledger of the revision
 * @throws {StoredObjectError} when too many revisions without mail are before it
 */
export async function mailThatCounts(
  { ledgers, snapshots }: MailRecords,
  { merchantCode, day, timeZone }: MailedDay,
  newestRevision: number,
  newest: Ledger | undefined,
): Promise<Ledger | undefined> {
  let ledger = newest;
  const later: Ledger[] = [];
  for (let revision = newestRevision - 1; revision >= 1; revision -= 1) {
    if (ledger === undefined || !hadNothingToSend(ledger)) break;
    const isForSome = hasOnlyPartialRounds(ledger);
    if (!isForSome && isReceived(ledger.status)) break;
    if (newestRevision - revision > MOST_LOOKED_BACK) {
      throw new StoredObjectError(
        ledgerKey(day, merchantCode, newestRevision),
        'has too many revisions without mail before it',
      );
    }
    // A mail about the unfinished day is not the day's report.
    const sealed = await snapshots.revision(merchantCode, day, revision);
    if (sealed !== undefined && soFarUntil(sealed, timeZone) !== null) break;
    if (isForSome) later.unshift(ledger);
    ledger = (await ledgers.read(ledgerKey(day, merchantCode, revision)))?.ledger;
  }
  return ledger && later.reduce(continuedBy, ledger);
}
