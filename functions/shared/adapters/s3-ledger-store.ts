import type { S3Client } from '@aws-sdk/client-s3';
import { ledgerSchema } from '../core/ledger.ts';
import type { Ledger } from '../core/ledger.ts';
import type { LedgerStore, VersionedLedger } from '../ports.ts';
import { createObject, readObject, replaceObject } from './s3-objects.ts';

/** The mail ledgers in the data bucket. */
export class S3LedgerStore implements LedgerStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async read(key: string): Promise<VersionedLedger | undefined> {
    const object = await readObject(this.#s3, this.#bucket, key, ledgerSchema);
    return object === undefined ? undefined : { ledger: object.value, version: object.version };
  }

  async create(key: string, ledger: Ledger): Promise<VersionedLedger | undefined> {
    const version = await createObject(this.#s3, this.#bucket, key, ledger);
    return version === undefined ? undefined : { ledger, version };
  }

  async update(key: string, ledger: Ledger, version: string): Promise<VersionedLedger | undefined> {
    const newer = await replaceObject(this.#s3, this.#bucket, key, ledger, version);
    return newer === undefined ? undefined : { ledger, version: newer };
  }
}
