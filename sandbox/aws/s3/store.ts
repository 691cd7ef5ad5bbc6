import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { openObject, type ObjectFiles } from './files/object-files.ts';

/** Direct access to the objects for tests and people, without the API and its faults. */
export class S3Store {
  readonly #files: ObjectFiles;

  constructor(files: ObjectFiles) {
    this.#files = files;
  }

  /** The keys that begin with `prefix`, in S3's order. None for a bucket without objects. */
  list(bucket: string, prefix = ''): string[] {
    return this.#files.keys(bucket, prefix);
  }

  /** The bytes as stored, not decoded in any way; `undefined` if there is no such object. */
  async read(bucket: string, key: string): Promise<Buffer | undefined> {
    const found = this.#files.find(bucket, key);
    return found === undefined ? undefined : buffer(openObject(found));
  }

  /** Writes or overwrites an object; text is written in UTF-8. */
  async write(bucket: string, key: string, body: string | Uint8Array): Promise<void> {
    const received = this.#files.incomingPath();
    await writeFile(received, body);
    const md5 = createHash('md5').update(body).digest('hex');
    this.#files.place(bucket, key, received, { etag: md5, md5, headers: {} });
  }

  /** Removes an object. Does nothing if there is none. */
  async remove(bucket: string, key: string): Promise<void> {
    await Promise.resolve();
    this.#files.remove(bucket, key);
  }
}
