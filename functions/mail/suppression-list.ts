import * as z from 'zod';
import { suppressionKey } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';

interface Suppression {
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
  messageId: string;
}

/** A stop as it is stored. A person may write one by hand, with a reason alone. */
export const suppressionSchema = z.lazy(() =>
  z.object({
    reason: z.string(),
    /** When it was reported (ISO 8601, UTC). */
    at: z.string().optional(),
    messageId: z.string().optional(),
  }),
);

/** Addresses that get no more mail: `mail-stops/` in the data bucket has one object for each that bounced hard or complained. */
export class SuppressionList extends BucketStore {
  async reason(addressHash: string): Promise<string | undefined> {
    return (await this.#read(addressHash))?.reason;
  }

  /**
   * Suppresses the address unless it is suppressed already.
   * @returns whether the stored suppression is this one
   */
  async suppress(addressHash: string, suppression: Suppression): Promise<boolean> {
    const created = await this.createObject(suppressionKey(addressHash), suppression);
    if (created !== undefined) return true;
    const standing = await this.#read(addressHash);
    return standing?.messageId === suppression.messageId && standing.reason === suppression.reason;
  }

  async #read(addressHash: string): Promise<z.infer<typeof suppressionSchema> | undefined> {
    return (await this.readObject(suppressionKey(addressHash), suppressionSchema))?.value;
  }
}
