import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { alertStateSchema } from '#records/ledger/alert-state.ts';
import type { AlertState } from '#records/ledger/alert-state.ts';
import { alertStateKey } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { StoredObjectError } from '#runtime/s3-objects.ts';

/** States of earlier versions do not name their merchant. */
const storedSchema = z.lazy(() => alertStateSchema.unwrap().extend({ merchantCode: z.string().optional() }));

/** The states of merchants' rules in the data bucket, one object a merchant. */
export class AlertStateStore extends BucketStore {
  /** `undefined` before the merchant's first check. */
  async read(merchantCode: string): Promise<{ state: AlertState; version: string } | undefined> {
    const key = alertStateKey(merchantCode);
    const object = await this.readObject(key, storedSchema);
    if (object === undefined) return undefined;
    const { merchantCode: of = merchantCode, ...state } = object.value;
    if (of !== merchantCode) throw new StoredObjectError(key, 'belongs to another key');
    return { state, version: object.version };
  }

  /**
   * Replaces that version. Without a version, creates the state if there is none.
   * @returns whether it was written; `false` when another writer was faster
   */
  async write(merchantCode: string, state: AlertState, version: string | undefined): Promise<boolean> {
    const key = alertStateKey(merchantCode);
    // Two checks at once may compute the same state. Without a random mark, each would take the other's
    // object for its own.
    const marked = { ...state, merchantCode, writer: randomUUID() };
    return (await this.writeObject(key, marked, version)) !== undefined;
  }
}
