import { StoredObjectError } from '#aws/s3-objects.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import { continuedBy } from '#domain/ledger/ledger-continued.ts';
import { hasOnlyPartialRounds } from '#domain/ledger/ledger-rounds.ts';
import { hadNothingToSend, isReceived } from '#domain/ledger/ledger-outcome.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { ledgerKey } from '#domain/storage/keys.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { LedgerStore } from '../ledger-store.ts';
import type { PageRevisions } from './mailed-page.ts';

/** The most revisions without mail that are looked at: an hourly run for two weeks makes this many. */
const MOST_LOOKED_BACK = 400;

/** A page's revisions, as far as they matter here. */
export type CountedPage = Pick<PageRevisions, 'ledgerKey'> & {
  /** Whether the revision is of an unfinished day. */
  isSoFar(revision: number): Promise<boolean>;
};

/**
 * What became of a page's mail: the ledger of the revision, or of the newest one before it that was to be
 * mailed. A revision that had nothing to send is skipped, even if it was sent again, unless that mail arrived.
 * If it was sent again to some recipients only, those rounds count for them.
 *
 * @param newest the ledger of the revision
 * @throws {StoredObjectError} when too many revisions without mail are before it
 */
export async function mailThatCounts(
  ledgers: Pick<LedgerStore, 'read'>,
  page: CountedPage,
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
        page.ledgerKey(newestRevision),
        'has too many revisions without mail before it',
      );
    }
    // A mail about the unfinished day is not the day's report.
    if (await page.isSoFar(revision)) break;
    if (isForSome) later.unshift(ledger);
    ledger = (await ledgers.read(page.ledgerKey(revision)))?.ledger;
  }
  return ledger && later.reduce(continuedBy, ledger);
}

/** The stores that tell of a day's mail. */
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

/** What became of a day's mail. @see mailThatCounts */
export function dayMailThatCounts(
  { ledgers, snapshots }: MailRecords,
  { merchantCode, day, timeZone }: MailedDay,
  newestRevision: number,
  newest: Ledger | undefined,
): Promise<Ledger | undefined> {
  const page: CountedPage = {
    ledgerKey: (revision) => ledgerKey(day, merchantCode, revision),
    isSoFar: async (revision) => {
      const sealed = await snapshots.revision(merchantCode, day, revision);
      return sealed !== undefined && soFarUntil(sealed, timeZone) !== null;
    },
  };
  return mailThatCounts(ledgers, page, newestRevision, newest);
}
