import { randomUUID } from 'node:crypto';
import type { S3Client } from '@aws-sdk/client-s3';
import { alertStateSchema } from '../core/alerts/alert-state.ts';
import type { AlertState } from '../core/alerts/alert-state.ts';
import { alertStateKey } from '../core/keys.ts';
import type { AlertStateStore, VersionedAlertState } from '../ports.ts';
import { createObject, readObject, replaceObject } from './s3-objects.ts';

/** The rule states in the data bucket, one object a merchant. */
export class S3AlertStateStore implements AlertStateStore {
  readonly #s3: S3Client;
  readonly #bucket: string;

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  async read(merchantCode: string): Promise<VersionedAlertState | undefined> {
    const object = await readObject(this.#s3, this.#bucket, alertStateKey(merchantCode), alertStateSchema);
    return object === undefined ? undefined : { state: object.value, version: object.version };
  }

  async write(merchantCode: string, state: AlertState, version: string | undefined): Promise<boolean> {
    const key = alertStateKey(merchantCode);
    // Two checks at once come to the same state; without a mark of its own, each would take the other's for its own.
    const marked = { ...state, writer: randomUUID() };
    const written =
      version === undefined
        ? await createObject(this.#s3, this.#bucket, key, marked)
        : await replaceObject(this.#s3, this.#bucket, key, marked, version);
    return written !== undefined;
  }
}
