import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { StorageError, storageError } from '#records/errors/storage-error.ts';
import { LATEST_CHANGE, MARKERS_KEPT_DAYS } from '#records/storage/change-marker.ts';
import { DAYS, STATEMENTS } from '#records/storage/keys.ts';
import { changesPrefix, dayPrefix, pageInKey, sealedDayOfMarker } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { pageLine } from './proof.ts';

/** A page in a listing. */
interface Listed {
  key: string;
  /** Milliseconds UTC, to the second. */
  sealedAt: number;
}

/** The most pages of one proof. With more a run would need more time or memory than it has. */
const MOST_PAGES = 250_000;
const AT_ONCE = 32;
const DAY = 24 * 60 * 60 * 1_000;
const UTC = 'Etc/UTC';

function oldestFirst(one: Listed, other: Listed): number {
  return one.sealedAt - other.sealedAt || (one.key < other.key ? -1 : 1);
}

/** Finds sealed pages by the time of their objects. */
export class SealedSince extends BucketStore {
  readonly #most: number;

  constructor(s3: S3Client, bucket: string, most = MOST_PAGES) {
    super(s3, bucket);
    this.#most = most;
  }

  /**
   * The lines of the pages that were sealed after a time, by their keys.
   * @param since milliseconds UTC; @param now likewise
   * @returns `cutAt`: the time of the first page that is left out, if there are too many. The oldest are taken
   */
  async lines(since: number, now: number): Promise<{ lines: string[]; cutAt: number | undefined }> {
    let found: Listed[] = [];
    const shorten = () => {
      found = found.sort(oldestFirst).slice(0, this.#most + 1);
    };
    const collect = async (prefix: string) => {
      for await (const objects of this.listObjects(prefix)) {
        for (const { Key: key = '', LastModified } of objects) {
          const sealedAt = LastModified?.getTime() ?? now;
          if (sealedAt > since && pageInKey(key) !== undefined) found.push({ key, sealedAt });
        }
        if (found.length > 2 * this.#most) shorten();
      }
    };
    const statements = await Array.fromAsync(this.listFolders(STATEMENTS));
    await pLimit(AT_ONCE).map([...(await this.#changedDays(since, now)), ...statements], collect);
    shorten();
    const cutAt = found[this.#most]?.sealedAt;
    const keys = found.slice(0, this.#most).map(({ key }) => key);
    const lines = await pLimit(AT_ONCE).map(keys.toSorted(), (key) => this.#line(key));
    return { lines: lines.flat(), cutAt };
  }

  /**
   * None when the page is gone: it was forgotten meanwhile. A proof is of its bytes, not of what a reader makes of them.
   * They are not kept: a group's page has many.
   */
  async #line(key: string): Promise<string[]> {
    try {
      const { Body } = await this.s3.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      const hash = createHash('sha256');
      if (Body instanceof Readable) for await (const chunk of Body) hash.update(Buffer.from(chunk));
      return [pageLine(key, hash.digest('hex'))];
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return [];
      throw error instanceof StorageError ? error : storageError('GetObject', key, error);
    }
  }

  /** The prefixes of days that have a page since then. A day's marker is written before its page. */
  async #changedDays(since: number, now: number): Promise<string[]> {
    if (since < now - (MARKERS_KEPT_DAYS - 1) * DAY) return Array.fromAsync(this.listFolders(DAYS));
    const days = new Set<string>();
    const last = dayAt(now, UTC);
    for (let noted = dayAt(since - LATEST_CHANGE, UTC); noted <= last; noted = addDays(noted, 1)) {
      for await (const objects of this.listObjects(changesPrefix(noted)))
        for (const { Key = '' } of objects) days.add(sealedDayOfMarker(Key) ?? '');
    }
    days.delete('');
    return [...days].map(dayPrefix);
  }
}
