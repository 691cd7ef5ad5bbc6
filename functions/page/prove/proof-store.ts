import { BucketStore } from '#runtime/bucket-store.ts';
import { StoredObjectError, readText, writeText } from '#runtime/s3-objects.ts';
import { PROOFS, dateOfProof, proofKey, provenPagesKey } from '#records/storage/keys.ts';
import type { Day } from '#records/day/business-day.ts';
import { largestObject } from '#records/storage/object-bounds.ts';
import { proofText, readProof } from './proof.ts';
import type { Proof } from './proof.ts';

/** The proofs and the lists of their pages. Its methods throw as those of `s3-objects.ts`. */
export class ProofStore extends BucketStore {
  /** The dates of all proofs, the oldest first. */
  async dates(): Promise<Day[]> {
    // Not the lists of pages, which are further down.
    const listed = await Array.fromAsync(this.listObjects(PROOFS, '/'));
    return listed
      .flat()
      .flatMap(({ Key = '' }) => dateOfProof(Key) ?? [])
      .toSorted();
  }

  /** @throws {StoredObjectError} when there is no proof of that date */
  async proof(date: Day): Promise<Proof> {
    const proof = readProof((await this.text(proofKey(date))) ?? '');
    if (proof?.date !== date) throw new StoredObjectError(proofKey(date), 'is not a proof of that date');
    return proof;
  }

  /** The lines of a proof's pages; `undefined` when the list is gone. */
  async pageLines(root: string): Promise<string[] | undefined> {
    const text = await this.text(provenPagesKey(root));
    return text?.split('\n').slice(0, -1);
  }

  async text(key: string): Promise<string | undefined> {
    return (await readText(this.s3, this.bucket, key))?.text;
  }

  /** The list has the root as its name, so that two runs write the same under the same key. */
  async keepPages(root: string, lines: readonly string[]): Promise<void> {
    await this.#create(provenPagesKey(root), lines.map((line) => `${line}\n`).join(''));
  }

  /** `false` when another run has made the proof of that date. */
  async create(proof: Proof): Promise<boolean> {
    return (await this.#create(proofKey(proof.date), proofText(proof))) !== undefined;
  }

  #create(key: string, text: string): Promise<string | undefined> {
    return writeText(this.s3, { bucket: this.bucket, key, text, most: largestObject(key) }, null);
  }
}
