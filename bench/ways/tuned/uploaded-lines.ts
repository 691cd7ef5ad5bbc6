import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Gzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';

/** The settings of Daybook's own files. */
const GZIP = { level: 3, memLevel: 9, chunkSize: 64 * 1024, writableHighWaterMark: 1024 * 1024 };
/** Characters that go to the compressor at once. */
const BLOCK = 256 * 1024;

/** Lines that are compressed and uploaded while they come. */
export class UploadedLines {
  readonly #gzip: Gzip = createGzip(GZIP);
  readonly #uploaded: Promise<unknown>;
  #waiting = '';

  constructor(client: S3Client, bucket: string, key: string) {
    const params = { Bucket: bucket, Key: key, Body: this.#gzip };
    this.#uploaded = new Upload({ client, queueSize: 1, params }).done();
  }

  /** @param lines with their line ends */
  async add(lines: string): Promise<void> {
    this.#waiting += lines;
    if (this.#waiting.length < BLOCK) return;
    const block = this.#waiting;
    this.#waiting = '';
    if (!this.#gzip.write(block)) await once(this.#gzip, 'drain');
  }

  async finish(): Promise<void> {
    this.#gzip.end(this.#waiting);
    await this.#uploaded;
  }
}
