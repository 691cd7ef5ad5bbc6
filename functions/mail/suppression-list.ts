import * as z from 'zod';
import { STOPPED_BY_READER } from '#records/ledger/ledger.ts';
import { LONGEST_OWN_WORDS } from '#records/storage/object-bounds.ts';
import { suppressionKey } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';

/** A stop as it is stored. A person may write one by hand, with a reason alone. */
export const suppressionSchema = z.lazy(() =>
  z.object({
    reason: z.string(),
    /** When it was reported (ISO 8601, UTC). */
    at: z.string().optional(),
    messageId: z.string().optional(),
  }),
);

/**
 * Addresses that get no more mail: `mail-stops/` in the data bucket has one object for each that bounced hard or complained, and
 * one for each kind of mails that a reader stopped.
 */
export class SuppressionList extends BucketStore {
  /**
   * Why the address does not get a mail, as ledgers say it.
   * @param readersStop key of the stop of these mails; left out where no reader can stop them
   */
  async reason(addressHash: string, readersStop?: string): Promise<string | undefined> {
    const [whole, ofReader] = await Promise.all([
      this.stop(suppressionKey(addressHash)),
      readersStop === undefined ? undefined : this.stop(readersStop),
    ]);
    if (whole !== undefined) {
      return `mail to this address is stopped: ${whole.reason.slice(0, LONGEST_OWN_WORDS).toWellFormed()}`;
    }
    return ofReader && STOPPED_BY_READER;
  }

  protected async stop(key: string): Promise<z.infer<typeof suppressionSchema> | undefined> {
    return (await this.readObject(key, suppressionSchema))?.value;
  }
}
