import { S3ChangeMarkers, BucketStore } from '#runtime/bucket-store.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { dayInKey } from '#records/storage/keys.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';

export interface VersionedLedger {
  ledger: Ledger;
  version: string;
}

/**
 * Of mails of revisions and alert checks, by their keys. `now` is milliseconds UTC: before a report's ledger
 * changes, the store notes that the day's mail is about to change.
 */
export class LedgerStore extends BucketStore {
  readonly #changes = new S3ChangeMarkers(this.s3, this.bucket);

  async read(key: string): Promise<VersionedLedger | undefined> {
    const object = await this.readObject(key, ledgerSchema);
    if (object?.value.key !== undefined && object.value.key !== key) {
      throw new StoredObjectError(key, 'belongs to another key');
    }
    return object === undefined ? undefined : { ledger: object.value, version: object.version };
  }

  /** Notes the change ahead: the write that follows need not wait for it. Never fails: the write notes it again. */
  async announce(key: string, now: number): Promise<void> {
    const day = dayInKey(key);
    if (day !== undefined) await this.#changes.announce('mail', day, now);
  }

  async create(key: string, ledger: Ledger, now: number): Promise<VersionedLedger | undefined> {
    await this.#note(key, now);
    const placed = { ...ledger, key };
    const version = await this.writeObject(key, placed);
    return version === undefined ? undefined : { ledger: placed, version };
  }

  /** Replaces the given version. `undefined` when the ledger has another version by now. */
  async update(
    key: string,
    ledger: Ledger,
    version: string,
    now: number,
  ): Promise<VersionedLedger | undefined> {
    await this.#note(key, now);
    const placed = { ...ledger, key };
    const newer = await this.writeObject(key, placed, version);
    return newer === undefined ? undefined : { ledger: placed, version: newer };
  }

  async #note(key: string, now: number): Promise<void> {
    const day = dayInKey(key);
    // The ledgers of alerts and of statements belong to no day, and are not in the history of the lake.
    if (day !== undefined) await this.#changes.note('mail', day, now);
  }
}
