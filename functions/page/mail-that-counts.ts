import { StoredObjectError } from '#runtime/s3-objects.ts';
import { soFarUntil } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import {
  continuedBy,
  hadNothingToSend,
  isReceived,
  hasOnlyPartialRounds,
} from '#records/ledger/ledger-rounds.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { isMerchantDay, pageLedgerKey, type PagePlace } from '#records/storage/keys.ts';
import type { LedgerStore } from '#mail/ledger-store.ts';

/** An hourly run for two weeks makes so many. */
const MOST_LOOKED_BACK = 400;

/**
 * The ledger of the newest revision that was to be mailed, skipping those with nothing to send unless their
 * resend arrived; rounds for some recipients count for them.
 * @param isSoFar of an unfinished day
 * @throws {StoredObjectError} when too many revisions without mail are before it
 */
export async function mailThatCounts(
  ledgers: Pick<LedgerStore, 'read'>,
  place: PagePlace,
  newest: Ledger | undefined,
  isSoFar: (revision: number) => Promise<boolean>,
): Promise<Ledger | undefined> {
  let ledger = newest;
  const later: Ledger[] = [];
  for (let revision = place.revision - 1; revision >= 1; revision -= 1) {
    if (ledger === undefined || !hadNothingToSend(ledger)) break;
    const isForSome = hasOnlyPartialRounds(ledger);
    if (!isForSome && isReceived(ledger.status)) break;
    if (place.revision - revision > MOST_LOOKED_BACK) {
      throw new StoredObjectError(pageLedgerKey(place), 'has too many revisions without mail before it');
    }
    // A mail about the unfinished day is not the day's report.
    if (await isSoFar(revision)) break;
    if (isForSome) later.unshift(ledger);
    ledger = (await ledgers.read(pageLedgerKey({ ...place, revision })))?.ledger;
  }
  return ledger && later.reduce(continuedBy, ledger);
}

export interface MailRecords {
  /** Of merchants' days: only they may be unfinished. */
  snapshots: { revision(place: PagePlace): Promise<Manifest | undefined> };
  ledgers: Pick<LedgerStore, 'read'>;
}

/** What became of a sealed page's mail: {@link mailThatCounts}. @param timeZone the merchant's */
export function storedMailThatCounts(
  { ledgers, snapshots }: MailRecords,
  place: PagePlace,
  newest: Ledger | undefined,
  timeZone: string,
): Promise<Ledger | undefined> {
  return mailThatCounts(ledgers, place, newest, async (revision) => {
    if (!isMerchantDay(place)) return false;
    const sealed = await snapshots.revision({ ...place, revision });
    return sealed !== undefined && soFarUntil(sealed, timeZone) !== null;
  });
}
