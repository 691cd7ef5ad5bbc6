import * as z from 'zod';
import { LAST_TICK } from '#records/storage/keys.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import type { OpsNotices } from '#mail/notices/ops-notices.ts';

/** ISO 8601 in UTC. */
export interface RememberedTick {
  tick: string;
  since: string;
}

export interface TickWindow extends RememberedTick {
  isNewest: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds between ticks, and the window of a tick without an earlier one. */
const TICK_INTERVAL = 15 * MINUTE;
/** The longest outage that ticks make up for by themselves. Milliseconds. A longer one needs a backfill. */
const LONGEST_WINDOW = 24 * HOUR;
/** A stored tick that is further ahead of the clock was typed by a person. It must not stop the schedule. */
const FAR_AHEAD = 24 * HOUR;

/** The newest tick so far. `spoilt`: the stored object cannot be read. */
export type LastTick = ({ is: 'known' } & RememberedTick) | { is: 'none' } | { is: 'spoilt'; reason: string };

/**
 * The window of a tick. It starts where the last tick ended, so that missed ticks are made up for. The same
 * tick gets the same window; a late one the time between two ticks; without a readable last tick it has the
 * greatest length, because leaving a tick out costs a report.
 * @param tick ISO 8601 in UTC
 * @param now milliseconds UTC
 */
export function tickWindow(tick: string, last: LastTick, now: number): TickWindow {
  const until = Date.parse(tick);
  const from = (since: number, isNewest: boolean): TickWindow => ({
    tick,
    since: new Date(Math.max(since, until - LONGEST_WINDOW)).toISOString(),
    isNewest,
  });
  if (last.is === 'none') return from(until - TICK_INTERVAL, true);
  if (last.is === 'spoilt') return from(until - LONGEST_WINDOW, true);
  const lastTick = Date.parse(last.tick);
  const isFarAhead = lastTick > until && lastTick > now + FAR_AHEAD;
  if (isFarAhead) return from(until - LONGEST_WINDOW, true);
  // The same window again. It cannot end before it starts, even when somebody edited the object.
  if (lastTick === until) return from(Math.min(Date.parse(last.since), until), false);
  if (lastTick > until) return from(until - TICK_INTERVAL, false);
  return from(lastTick, true);
}

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
