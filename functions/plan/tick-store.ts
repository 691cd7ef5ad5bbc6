import * as z from 'zod';
import { LAST_TICK } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';
import type { RememberedTick } from './tick-window.ts';

export type LastTick =
  | { is: 'known'; tick: string; since: string }
  | { is: 'none' }
  /** The stored object cannot be read. */
  | { is: 'spoilt'; reason: string };

const tickSchema = z.lazy(() => z.object({ tick: z.iso.datetime(), since: z.iso.datetime() }));

/** The newest tick whose messages were all sent, in the data bucket. */
export class TickStore extends BucketStore {
  /** @throws {StorageError} when S3 fails */
  async last(): Promise<LastTick> {
    try {
      const read = await this.readObject(LAST_TICK, tickSchema);
      return read === undefined ? { is: 'none' } : { is: 'known', ...read.value };
    } catch (error) {
      if (isUnreadableObject(error)) return { is: 'spoilt', reason: error.message };
      throw error;
    }
  }

  /** @throws {StorageError} when S3 fails */
  async remember({ tick, since }: RememberedTick): Promise<void> {
    await this.putObject(LAST_TICK, { tick, since });
  }
}

/** Notifies ops, once for each tick, that it is not known where its time begins. */
export async function notifyOfLastTick(opsNotices: OpsNotices, last: LastTick, tick: string): Promise<void> {
  if (last.is !== 'spoilt') return;
  await opsNotices.notifyOnce({
    about: `last tick not readable: ${LAST_TICK}, tick ${tick}`,
    merchants: [],
    days: [],
    happened: 'the last tick cannot be read',
    meaning: [`${last.reason}.`, 'So it is not known where the time of this tick begins.'],
    tried: [
      `The tick ${tick} looks 24 hours back instead, so that nobody is left out. What is done already is not done twice.`,
      'The object is written again at the end of this tick.',
    ],
    toDo: [
      'Find out who wrote that object. Only plan may write it.',
      'If Daybook did not run for more than 24 hours, make up for the days before with a backfill.',
    ],
    headings: ['recordNotReadable'],
    errors: ['StoredObjectError'],
    commands: [{ shows: 'The record as it is now', does: 'show object', key: LAST_TICK }],
  });
}
