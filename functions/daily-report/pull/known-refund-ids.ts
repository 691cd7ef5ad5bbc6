import { sealedRefundIds } from '#snapshots/sealed-rows.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { KnownDay } from './known-day.ts';

/** The refund ids that the newest revision knows: its refunds, and those that the service did not know. */
export async function knownRefundIds(
  snapshots: SnapshotStore,
  { newest, check }: KnownDay,
): Promise<readonly string[]> {
  const record = check?.record;
  // The record has them if they are few. Then the sealed file need not be read.
  if (newest !== undefined && record?.revision === newest.revision && record.refundIds !== null) {
    return [...newest.missingRefundIds, ...record.refundIds];
  }
  return sealedRefundIds(snapshots, newest);
}
