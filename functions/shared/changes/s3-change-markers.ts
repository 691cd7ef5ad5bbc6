import type { S3Client } from '@aws-sdk/client-s3';
import { putObject } from '#aws/s3-objects.ts';
import { changeMarker } from '#domain/changes/change-marker.ts';
import type { ChangeOfADay } from '#domain/changes/change-marker.ts';
import type { Day } from '#domain/day/business-day.ts';
import { changeKey } from '#domain/storage/keys.ts';

/**
 * Notes in the data bucket that something of a day is about to change, so that the history of the lake finds
 * the change without a list of all days.
 *
 * A store notes a change, waits until the marker is written, and then writes the change in the same run. So the
 * change comes at most `LATEST_CHANGE` after the time in its marker.
 */
export class S3ChangeMarkers {
  readonly #s3: S3Client;
  readonly #bucket: string;
  /** The key of the last marker that this process has written, by what and day. */
  readonly #noted = new Map<string, string>();
  /** Markers that are being written ahead, by key. */
  readonly #announced = new Map<string, Promise<void>>();

  constructor(s3: S3Client, bucket: string) {
    this.#s3 = s3;
    this.#bucket = bucket;
  }

  /**
   * Writes the marker of a change, unless this process has written it already. It waits for one that is announced,
   * so that it is not written twice. Only a marker that was written is remembered, so a failed one is tried again.
   *
   * @param now the time of this call, milliseconds UTC; not the time of an event
   */
  async note(what: ChangeOfADay, day: Day, now: number): Promise<void> {
    const marker = changeMarker(what, day, now);
    const key = changeKey(marker);
    const subject = `${what} ${day}`;
    await this.#announced.get(key);
    if (this.#noted.get(subject) === key) return;
    await putObject(this.#s3, this.#bucket, key, marker);
    this.#noted.set(subject, key);
  }

  /**
   * Writes the marker ahead, while the run does something else. It never fails: `note` tries again before the
   * change.
   *
   * @param now the time of this call, milliseconds UTC
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
