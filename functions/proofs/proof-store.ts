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
    const found: Day[] = [];
    // Not the lists of pages, which are further down.
    for await (const objects of this.listObjects(PROOFS, '/')) {
      found.push(...objects.flatMap(({ Key = '' }) => dateOfProof(Key) ?? []));
    }
    return found.toSorted();
  }

  /** `undefined` when there is none of that date. @throws {StoredObjectError} when it is no proof of that date */
  async proof(date: Day): Promise<Proof | undefined> {
    const text = await this.text(proofKey(date));
    if (text === undefined) return undefined;
    const proof = readProof(text);
    if (proof?.date !== date) throw new StoredObjectError(proofKey(date), 'is not a proof of that date');
    return proof;
  }

  /** The lines of a proof's pages; `undefined` when the list is gone. */
  async pageLines(root: string): Promise<string[] | undefined> {
    const text = await this.text(provenPagesKey(root));
    return text?.split('\n').slice(0, -1);
  }

  text(key: string): Promise<string | undefined> {
    return readText(this.s3, this.bucket, key).then((read) => read?.text);
  }

  /** Has the root as its name, so that two runs write the same under the same key. */
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
