import { merchantDay, pageLedgerKey } from '#domain/storage/keys.ts';
import { storedMailThatCounts } from '#page/mail-that-counts.ts';
import type { DayRecords } from './delivery.ts';
import type { ExpectedReport } from './expected-reports.ts';
import type { RecordStores } from './record-stores.ts';

/**
 * Reads what is stored of a merchant's day: usually two objects, one when nothing is sealed.
 *
 * @param revision the newest sealed one, from a listing
 * @throws {StoredObjectError} when an object is not what Daybook writes there
 */
export async function dayRecords(
  stores: RecordStores,
  report: ExpectedReport,
  revision: number | undefined,
): Promise<DayRecords> {
  const { merchantCode, day } = report;
  const { snapshots, ledgers } = stores;
  const check = await snapshots.lastCheck(merchantCode, day);
  if (revision === undefined) return { check, sealed: undefined, ledger: undefined };
  const place = { ...merchantDay(merchantCode, day), revision };
  const newest = (await ledgers.read(pageLedgerKey(place)))?.ledger;
  const ledger = await storedMailThatCounts(stores, place, newest, report.timeZone);
  // The ledger holds the revision's figures, and the check record its time, so the manifest is seldom needed.
  // A check record of an earlier revision has an older time: the run that sealed this one could not write its
  // record.
  const balanced = newest?.figures?.balanced;
  const isOfRevision = (check?.revision ?? 0) >= revision;
  const asOf = (isOfRevision ? check?.asOf : undefined) ?? undefined;
  if (balanced !== undefined && asOf !== undefined) return { check, sealed: { balanced, asOf }, ledger };
  const manifest = await snapshots.revision(place);
  const sealed = manifest && {
    balanced: manifest.balanced,
    asOf: asOf ?? manifest.soFarUntil ?? manifest.pulledAt,
  };
  return { check, sealed, ledger };
}
