import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { dataFileInKey } from '#records/storage/keys.ts';

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
export class StoredObjects {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /** All objects whose key begins with the prefix. */
  async under(prefix: string): Promise<ListedObject[]> {
    const objects: ListedObject[] = [];
    const input = { Bucket: this.#bucket, Prefix: prefix };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#s3 }, input)) {
      for (const { Key, LastModified } of Contents) {
        if (Key === undefined || LastModified === undefined) continue;
        objects.push({ key: Key, lastModified: LastModified.getTime() });
      }
    }
    return objects;
  }

  /**
   * The folders directly under the prefix, each with the prefix and the slash at its end, such as
   * `invoices/json/day=2026-11-20/`.
   */
  async foldersUnder(prefix: string): Promise<string[]> {
    const folders: string[] = [];
    const input = { Bucket: this.#bucket, Prefix: prefix, Delimiter: '/' };
    for await (const { CommonPrefixes = [] } of paginateListObjectsV2({ client: this.#s3 }, input)) {
      folders.push(...CommonPrefixes.flatMap(({ Prefix }) => (Prefix === undefined ? [] : [Prefix])));
    }
    return folders;
  }

  async remove(key: string): Promise<void> {
    await this.#s3.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }
}
