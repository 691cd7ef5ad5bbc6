import { StoredObjectError } from '#aws/s3-objects.ts';
import { ledgerKey } from '#domain/storage/keys.ts';
import { hadNothingToSend, isReceived } from '#domain/ledger/ledger-standing.ts';
import type { Ledger } from '#domain/ledger/ledger.ts';
import { soFarUntil } from '#domain/day/so-far.ts';
import type { DayRecords } from './delivery.ts';
import type { ExpectedReport } from './expected-reports.ts';
import type { RecordStores } from './look-at-reports.ts';

/** The most revisions without mail that are looked at: an hourly run for two weeks makes this many. */
const MOST_LOOKED_BACK = 400;

type Stores = Pick<RecordStores, 'snapshots' | 'ledgers'>;

/**
 * The ledger of the revision, or of the newest one before it that was to be mailed. A revision that had
 * nothing to send is skipped, even if it was sent again, unless that mail arrived.
 */
async function ledgerThatCounts(
  { ledgers, snapshots }: Stores,
  { merchantCode, day, timeZone }: ExpectedReport,
  newest: Ledger | undefined,
  newestRevision: number,
): Promise<Ledger | undefined> {
  let ledger = newest;
  for (let revision = newestRevision - 1; revision >= 1; revision -= 1) {
    if (ledger === undefined || !hadNothingToSend(ledger) || isReceived(ledger.status)) break;
    if (newestRevision - revision > MOST_LOOKED_BACK) {
      throw new StoredObjectError(
        ledgerKey(day, merchantCode, newestRevision),
        'has too many revisions without mail before it',
      );
    }
    // A mail about the unfinished day is not the day's report.
    const sealed = await snapshots.revision(merchantCode, day, revision);
    if (sealed !== undefined && soFarUntil(sealed, timeZone) !== null) break;
    ledger = (await ledgers.read(ledgerKey(day, merchantCode, revision)))?.ledger;
  }
  return ledger;
}

/**
 * Reads what is stored of a merchant's day: usually two objects, one when nothing is sealed.
 *
 * @param revision the newest sealed one, from a listing
 * @throws {StoredObjectError} when an object is not what Daybook writes there
 */
export async function dayRecords(
  stores: Stores,
  report: ExpectedReport,
  revision: number | undefined,
): Promise<DayRecords> {
  const { merchantCode, day } = report;
  const { snapshots, ledgers } = stores;
  const check = await snapshots.lastCheck(merchantCode, day);
  if (revision === undefined) return { check, sealed: undefined, ledger: undefined };
  const newest = (await ledgers.read(ledgerKey(day, merchantCode, revision)))?.ledger;
  const ledger = await ledgerThatCounts(stores, report, newest, revision);
  // The ledger holds the revision's figures, and the check record its time, so the manifest is seldom needed.
  // A check record of an earlier revision has an older time: the run that sealed this one could not write its
  // record.
  const balanced = newest?.figures?.balanced;
  const isOfRevision = (check?.revision ?? 0) >= revision;
  const asOf = (isOfRevision ? check?.asOf : undefined) ?? undefined;
  if (balanced !== undefined && asOf !== undefined) return { check, sealed: { balanced, asOf }, ledger };
  const manifest = await snapshots.revision(merchantCode, day, revision);
  const sealed = manifest && {
    balanced: manifest.balanced,
    asOf: asOf ?? manifest.soFarUntil ?? manifest.pulledAt,
  };
  return { check, sealed, ledger };
}
