import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { GetObjectCommand, NoSuchKey } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import { addDays, dayAt, type Day } from '#records/day/business-day.ts';
import { StorageError, storageError } from '#records/errors/storage-error.ts';
import { daysOf } from '#records/period/period.ts';
import { LATEST_CHANGE, MARKERS_KEPT_DAYS } from '#records/storage/change-marker.ts';
import * as keys from '#records/storage/keys.ts';
import { largestObject } from '#records/storage/object-bounds.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { StoredObjectError, readText, writeText } from '#runtime/s3-objects.ts';
import { pageLine, readProof, type Proof } from './proof.ts';

const AT_ONCE = 32;
const UTC = 'Etc/UTC';

/** Proofs, the lists of their pages, and the pages that a proof is made of. */
export class ProofStore extends BucketStore {
  /** The dates of all proofs, the oldest first: S3 lists keys in their order. */
  async dates(): Promise<Day[]> {
    // Not the lists of pages, which are further down.
    const listed = await Array.fromAsync(this.listObjects(keys.PROOFS, '/'));
    return listed.flat().flatMap(({ Key = '' }) => keys.dateOfProof(Key) ?? []);
  }

  /** @throws {StoredObjectError} when there is no proof of that date */
  async proof(date: Day): Promise<Proof> {
    const key = keys.proofKey(date);
    const proof = readProof((await this.text(key)) ?? '');
    if (proof?.date !== date) throw new StoredObjectError(key, 'is not a proof of that date');
    return proof;
  }

  /** `undefined` when the list is gone. */
  async pageLines(root: string): Promise<string[] | undefined> {
    const text = await this.text(keys.provenPagesKey(root));
    return text?.split('\n').slice(0, -1);
  }

  async text(key: string): Promise<string | undefined> {
    return (await readText(this.s3, this.bucket, key))?.text;
  }

  /** `false` when another object has that key: of two runs one makes a proof, and both write the same list of pages. */
  async create(key: string, text: string): Promise<boolean> {
    const written = { bucket: this.bucket, key, text, most: largestObject(key) };
    return (await writeText(this.s3, written, null)) !== undefined;
  }

  /**
   * The lines of the pages that were sealed after a time, by their keys.
   * @param since milliseconds UTC; @param now likewise; @param most pages
   * @returns `cutAt`: the time of the first page that is left out, if there are too many. The oldest are taken
   */
  async sealedSince(since: number, now: number, most: number) {
    /** By the time of their objects, to the second. */
    let found: { key: string; sealedAt: number }[] = [];
    const shorten = () => {
      found.sort((one, other) => one.sealedAt - other.sealedAt || (one.key < other.key ? -1 : 1));
      found = found.slice(0, most + 1);
    };
    const collect = async (prefix: string) => {
      for await (const objects of this.listObjects(prefix)) {
        for (const { Key: key = '', LastModified } of objects) {
          const sealedAt = LastModified?.getTime() ?? now;
          if (sealedAt > since && keys.pageInKey(key) !== undefined) found.push({ key, sealedAt });
        }
        if (found.length > 2 * most) shorten();
      }
    };
    const statements = await Array.fromAsync(this.listFolders(keys.STATEMENTS));
    await pLimit(AT_ONCE).map([...(await this.#changedDays(since, now)), ...statements], collect);
    shorten();
    const cutAt = found[most]?.sealedAt;
    const pages = found.slice(0, most).map(({ key }) => key);
    const lines = await pLimit(AT_ONCE).map(pages.toSorted(), async (key) => {
      // Of its bytes, not of what a reader makes of them. A page that is gone was forgotten meanwhile.
      const hash = createHash('sha256');
      const isThere = await this.passOn(key, (part) => hash.update(part));
      return isThere ? [pageLine(key, hash.digest('hex'))] : [];
    });
    return { lines: lines.flat(), cutAt };
  }

  /** Passes on the bytes of an object, in parts: a group's page has many. `false` when it is gone. */
  async passOn(key: string, take: (part: Uint8Array) => unknown): Promise<boolean> {
    try {
      const { Body } = await this.s3.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      const parts: AsyncIterable<Uint8Array> = Body instanceof Readable ? Body : Readable.from([]);
      for await (const part of parts) take(part);
      return true;
    } catch (error) {
      if (error instanceof NoSuchKey) return false;
      throw error instanceof StorageError ? error : storageError('GetObject', key, error);
    }
  }

  /** The prefixes of days that have a page since then. A day's marker is written before its page. */
  async #changedDays(since: number, now: number): Promise<string[]> {
    const [from, to] = [dayAt(since - LATEST_CHANGE, UTC), dayAt(now, UTC)];
    if (from <= addDays(to, -MARKERS_KEPT_DAYS)) return Array.fromAsync(this.listFolders(keys.DAYS));
    const days = new Set<Day>();
    for (const noted of daysOf({ from, to }))
      for await (const objects of this.listObjects(keys.changesPrefix(noted)))
        for (const day of objects.flatMap(({ Key = '' }) => keys.sealedDayOfMarker(Key) ?? [])) days.add(day);
    return [...days].map(keys.dayPrefix);
  }
}
