import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { StorageError, storageError } from '#records/errors/storage-error.ts';
import { LATEST_CHANGE, MARKERS_KEPT_DAYS } from '#records/storage/change-marker.ts';
import {
  DAYS,
  STATEMENTS,
  changesPrefix,
  dayPrefix,
  pageInKey,
  sealedDayOfMarker,
} from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';

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
  /**
   * The pages that were sealed after a time, at most so many, the oldest first.
   * @param since milliseconds UTC; @param now likewise
   * @returns `cutAt`: the time of the first page that is left out, if there are too many
   */
  async pages(since: number, now: number, most = MOST_PAGES): Promise<{ keys: string[]; cutAt?: number }> {
    let found: Listed[] = [];
    const shorten = () => {
      found = found.sort(oldestFirst).slice(0, most + 1);
    };
    const collect = async (prefix: string) => {
      for await (const objects of this.listObjects(prefix)) {
        for (const { Key = '', LastModified } of objects) {
          const sealedAt = LastModified?.getTime() ?? now;
          if (sealedAt > since && pageInKey(Key) !== undefined) found.push({ key: Key, sealedAt });
        }
        if (found.length > 2 * most) shorten();
      }
    };
    const prefixes = [...(await this.#changedDays(since, now)), ...(await this.#folders(STATEMENTS))];
    await pLimit(AT_ONCE).map(prefixes, collect);
    shorten();
    const cutAt = found[most]?.sealedAt;
    return { keys: found.slice(0, most).map(({ key }) => key), ...(cutAt !== undefined && { cutAt }) };
  }

  /** The SHA-256 (hex) of an object's bytes, `undefined` when there is none. They are not kept: a group's page has many. */
  async digest(key: string): Promise<string | undefined> {
    try {
      const { Body } = await this.s3.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      const hash = createHash('sha256');
      if (Body instanceof Readable) for await (const chunk of Body) hash.update(Buffer.from(chunk));
      return hash.digest('hex');
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const failure = storageError('GetObject', key, error);
      if (failure.status === 404) return undefined;
      throw failure;
    }
  }

  /** Each page is read: its text, not what a reader makes of it, is what a proof is of. */
  digests(keys: readonly string[]): Promise<{ key: string; sha256: string | undefined }[]> {
    return pLimit(AT_ONCE).map(keys, async (key) => ({ key, sha256: await this.digest(key) }));
  }

  /** The prefixes of days that have a page since then. A day's marker is written before its page. */
  async #changedDays(since: number, now: number): Promise<string[]> {
    if (since < now - (MARKERS_KEPT_DAYS - 1) * DAY) return this.#folders(DAYS);
    const days = new Set<string>();
    const last = dayAt(now, UTC);
    for (let noted = dayAt(since - LATEST_CHANGE, UTC); noted <= last; noted = addDays(noted, 1)) {
      for await (const objects of this.listObjects(changesPrefix(noted))) {
        for (const { Key = '' } of objects) {
          const day = sealedDayOfMarker(Key);
          if (day !== undefined) days.add(dayPrefix(day));
        }
      }
    }
    return [...days];
  }

  async #folders(prefix: string): Promise<string[]> {
    return Array.fromAsync(this.listFolders(prefix));
  }
}
