import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { STOPPED_BY_READER } from '#records/ledger/ledger.ts';
import { LONGEST_OWN_WORDS } from '#records/storage/object-bounds.ts';
import { suppressionKey } from '#records/storage/keys.ts';
import { readersStopKey, type ReadersStop } from '#records/storage/readers-stop.ts';
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
type StoredStop = z.infer<typeof suppressionSchema>;

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

  protected async stop(key: string): Promise<StoredStop | undefined> {
    return (await this.readObject(key, suppressionSchema))?.value;
  }
}

/** The stops of mail, for who writes them. Of the many functions that ask them, none may. */
export class MailStops extends SuppressionList {
  /** Suppresses the address unless it is suppressed already. @returns whether the stored suppression is this one */
  async suppress(addressHash: string, suppression: Record<keyof StoredStop, string>): Promise<boolean> {
    const created = await this.writeObject(suppressionKey(addressHash), suppression);
    if (created !== undefined) return true;
    const standing = await this.stop(suppressionKey(addressHash));
    return standing?.messageId === suppression.messageId && standing.reason === suppression.reason;
  }

  async isStoppedByReader(stop: ReadersStop): Promise<boolean> {
    return (await this.stop(readersStopKey(stop))) !== undefined;
  }

  /** Stops these mails, unless they are stopped already. @param at ISO 8601, UTC */
  async stopByReader(stop: ReadersStop, at: string): Promise<void> {
    await this.writeObject(readersStopKey(stop), { reason: STOPPED_BY_READER, at });
  }

  /** Lets the reader have these mails again, whether they were stopped or not. */
  async undoByReader(stop: ReadersStop): Promise<void> {
    await this.s3.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: readersStopKey(stop) }));
  }
}
