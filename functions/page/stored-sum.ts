import { createHash, hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { DataFile } from '#records/revision/manifest.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';

/** The error for a file that is not the one in its manifest. @param key the file's key */
export function otherThanSealed(key: string): StoredObjectError {
  return new StoredObjectError(
    key,
    'is not the file that was sealed: its manifest has another size or SHA-256',
  );
}

/** @throws {StoredObjectError} when these bytes are not the file in the manifest */
export function assertSum(content: Uint8Array, { key, bytes, sha256 }: DataFile): void {
  if (content.byteLength !== bytes || hash('sha256', content) !== sha256) throw otherThanSealed(key);
}

export class StoredSum {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(body: Readable) {
    body.on('data', (chunk: Uint8Array) => {
      this.#hash.update(chunk);
      this.#bytes += chunk.byteLength;
    });
  }

  /** Called after the end. @throws {StoredObjectError} when it was not the file in the manifest */
  assertIs({ key, bytes, sha256 }: DataFile): void {
    if (this.#bytes !== bytes || this.#hash.digest('hex') !== sha256) throw otherThanSealed(key);
  }
}
