import { BucketStore } from '#runtime/bucket-store.ts';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { storedAlertState } from '#records/ledger/alert-state.ts';
import type { AlertState } from '#records/ledger/alert-state.ts';
import { alertStateKey, dataFileInKey } from '#records/storage/keys.ts';

/** `lastModified` is milliseconds UTC. */
export interface ListedObject {
  key: string;
  lastModified: number;
}

/**
 * Data files from before `before` (milliseconds UTC; a pull that runs wrote later) that no manifest names. A
 * key that is not exactly a data file's is never an orphan.
 * @param named the keys in all manifests of these days and merchants
 */
export function orphansAmong(
  objects: readonly ListedObject[],
  named: ReadonlySet<string>,
  before: number,
): string[] {
  return objects
    .filter(
      ({ key, lastModified }) => lastModified < before && !named.has(key) && dataFileInKey(key) !== undefined,
    )
    .map(({ key }) => key);
}

/** All objects of the bucket, for removing what nobody needs. A request lists a thousand objects. */
export class StoredObjects extends BucketStore {
  async under(prefix: string): Promise<ListedObject[]> {
    const objects: ListedObject[] = [];
    for await (const found of this.listObjects(prefix)) {
      for (const { Key, LastModified } of found) {
        if (Key === undefined || LastModified === undefined) continue;
        objects.push({ key: Key, lastModified: LastModified.getTime() });
      }
    }
    return objects;
  }

  /** Folders directly under the prefix, each with prefix and slash, such as `invoices/json/day=2026-11-20/`. */
  async foldersUnder(prefix: string): Promise<string[]> {
    return Array.fromAsync(this.listFolders(prefix));
  }

  async alertState(merchantCode: string): Promise<AlertState | undefined> {
    return (await this.readObject(alertStateKey(merchantCode), storedAlertState(merchantCode)))?.value;
  }

  async remove(key: string): Promise<void> {
    await this.s3.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }
}
