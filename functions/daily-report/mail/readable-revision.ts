import { isUnreadableObject } from '#aws/unreadable-object.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';

/**
 * An earlier revision's manifest, `undefined` when it is gone or spoilt. A spoilt manifest must not hold up
 * the mails of all later revisions. A failure of S3 is thrown: a later run reads the manifest.
 */
export async function readableRevision(
  snapshots: SnapshotStore,
  { merchantCode, day }: Pick<Manifest, 'merchantCode' | 'day'>,
  revision: number,
): Promise<Manifest | undefined> {
  try {
    return await snapshots.revision(merchantCode, day, revision);
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    return undefined;
  }
}
