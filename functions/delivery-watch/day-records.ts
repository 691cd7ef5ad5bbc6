import { ledgerKey } from '#domain/storage/keys.ts';
import { dayMailThatCounts } from '#mailing/pages/mail-that-counts.ts';
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
  const newest = (await ledgers.read(ledgerKey(day, merchantCode, revision)))?.ledger;
  const ledger = await dayMailThatCounts(stores, report, revision, newest);
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
