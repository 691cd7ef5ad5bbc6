import type { DaysMessage } from '#runtime/queue-message.ts';
import { BucketStore } from '#runtime/bucket-store.ts';
import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { dataFileInKey, dataPrefix } from '#records/storage/keys.ts';

/** Bytes of a day's stored invoices that a merchant is taken to have when none are known: it may be a large one. */
const UNKNOWN = 50_000;
/** Bytes that count as much as what a day without invoices takes. */
const EMPTY_DAY = 60_000;

/** How large the days of merchants are, by what is stored of them. */
export class StoredSizes extends BucketStore {
  /**
   * The longest work first, by what is stored of the day before each message's newest day: what begins last must not take longest.
   * @throws {StorageError} when S3 fails
   */
  async largestFirst(messages: readonly DaysMessage[]): Promise<DaysMessage[]> {
    const newest = messages.map(({ days }) => days.reduce((last, day) => (day > last ? day : last)));
    const ofDays = [...new Set(newest)].map(async (day) => [day, await this.#of(addDays(day, -1))] as const);
    const sizes = new Map(await Promise.all(ofDays));
    return messages
      .map((message, index) => {
        const bytes = sizes.get(newest[index] ?? '')?.get(message.merchantCode) ?? UNKNOWN;
        return { message, work: message.days.length * (bytes + EMPTY_DAY) };
      })
      .sort((one, other) => other.work - one.work)
      .map(({ message }) => message);
  }

  /** The bytes of each merchant's stored invoices of a day. A request lists a thousand. */
  async #of(day: Day): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for await (const objects of this.listObjects(`${dataPrefix('invoices', 'json')}day=${day}/`)) {
      for (const { Key = '', Size = 0 } of objects) {
        const code = dataFileInKey(Key)?.merchantCode;
        // Several pulls: corrections, and those that never sealed.
        if (code !== undefined) sizes.set(code, Math.max(Size, sizes.get(code) ?? 0));
      }
    }
    return sizes;
  }
}
