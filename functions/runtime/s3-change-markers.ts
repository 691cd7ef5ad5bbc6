import { BucketStore } from './bucket-store.ts';
import { changeMarker } from '#records/storage/change-marker.ts';
import type { ChangeOfADay } from '#records/storage/change-marker.ts';
import type { Day } from '#records/day/business-day.ts';
import { changeKey } from '#records/storage/keys.ts';

/**
 * Notes changes of a day, so that the lake's history finds them without a list of all days. The marker is
 * written before the change, in the same run: at most `LATEST_CHANGE` lies between them.
 */
export class S3ChangeMarkers extends BucketStore {
  /** The last marker of this process, by what and day. */
  readonly #noted = new Map<string, string>();
  /** Markers that are being written ahead, by key. */
  readonly #announced = new Map<string, Promise<void>>();
  /**
   * Once a process, waiting for an announced one; a failed one is tried again.
   * @param now of this call, milliseconds UTC; not the time of an event
   */
  async note(what: ChangeOfADay, day: Day, now: number): Promise<void> {
    const marker = changeMarker(what, day, now);
    const key = changeKey(marker);
    const subject = `${what} ${day}`;
    await this.#announced.get(key);
    if (this.#noted.get(subject) === key) return;
    await this.putObject(key, marker);
    this.#noted.set(subject, key);
  }

  /**
   * While the run does something else. Never fails: `note` tries again.
   * @param now of this call, milliseconds UTC
   */
  async announce(what: ChangeOfADay, day: Day, now: number): Promise<void> {
    const key = changeKey(changeMarker(what, day, now));
    if (this.#announced.has(key)) return this.#announced.get(key);
    const written = this.note(what, day, now)
      .catch(() => undefined)
      .finally(() => this.#announced.delete(key));
    this.#announced.set(key, written);
    await written;
  }
}
