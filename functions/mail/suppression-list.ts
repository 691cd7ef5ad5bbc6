import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { STOPPED_BY_READER } from '#records/ledger/ledger.ts';
import { LONGEST_OWN_WORDS } from '#records/storage/object-bounds.ts';
import { mailsOfLedger, stopKey, type StopPlace } from '#records/storage/readers-stop.ts';
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
   * @param ledgerKey of the mail; left out for one that no reader can stop
   */
  async reason(hash: string, ledgerKey?: string): Promise<string | undefined> {
    const of = mailsOfLedger(ledgerKey);
    const [whole, ofReader] = await Promise.all([
      this.read({ hash, of: null }),
      of && this.read({ hash, of }),
    ]);
    if (whole !== undefined) {
      return `mail to this address is stopped: ${whole.reason.slice(0, LONGEST_OWN_WORDS).toWellFormed()}`;
    }
    return ofReader && STOPPED_BY_READER;
  }

  /** @throws {StoredObjectError} when it is not what Daybook writes there */
  async read(stop: StopPlace): Promise<StoredStop | undefined> {
    return (await this.readObject(stopKey(stop), suppressionSchema))?.value;
  }

  /** Suppresses the address unless it is suppressed already. @returns whether the stored suppression is this one */
  async suppress(hash: string, suppression: Record<keyof StoredStop, string>): Promise<boolean> {
    const stop = { hash, of: null };
    if (await this.add(stop, suppression)) return true;
    const standing = await this.read(stop);
    return standing?.messageId === suppression.messageId && standing.reason === suppression.reason;
  }

  /** Unless there is such a stop already. @returns whether there was none */
  async add(stop: StopPlace, stored: StoredStop): Promise<boolean> {
    return (await this.writeObject(stopKey(stop), stored)) !== undefined;
  }

  /** Whether there was one or not: an undo may come twice. */
  async remove(stop: StopPlace): Promise<void> {
    await this.s3.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: stopKey(stop) }));
  }
}
