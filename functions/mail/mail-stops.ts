import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { STOPPED_BY_READER } from '#records/ledger/ledger.ts';
import { suppressionKey } from '#records/storage/keys.ts';
import { readersStopKey } from '#records/storage/readers-stop.ts';
import type { ReadersStop } from '#records/storage/readers-stop.ts';
import { SuppressionList } from './suppression-list.ts';

interface Suppression {
  reason: string;
  /** ISO 8601, UTC. */
  at: string;
  messageId: string;
}

/** The stops of mail, for who writes them. Of the many functions that ask them, none may. */
export class MailStops extends SuppressionList {
  /**
   * Suppresses the address unless it is suppressed already.
   * @returns whether the stored suppression is this one
   */
  async suppress(addressHash: string, suppression: Suppression): Promise<boolean> {
    const created = await this.writeObject(suppressionKey(addressHash), suppression);
    if (created !== undefined) return true;
    const standing = await this.stop(suppressionKey(addressHash));
    return standing?.messageId === suppression.messageId && standing.reason === suppression.reason;
  }

  /** Whether its reader stopped these mails. */
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
