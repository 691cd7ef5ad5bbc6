import { DeleteObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ListedObject } from './orphans.ts';
import type { StoredObjects } from './stored-objects.ts';

/** `StoredObjects` over S3. A request lists a thousand objects. */
export class S3Listing implements StoredObjects {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

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
