import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import type { DaysMessage } from '#runtime/queue-message.ts';
import { addDays } from '#records/day/business-day.ts';
import { dataFileInKey, dataPrefix } from '#records/storage/keys.ts';

/** Bytes of a day's stored invoices that a merchant is taken to have when none are known: it may be a large one. */
const UNKNOWN = 50_000;
/** Bytes that count as much as what a day without invoices takes. */
const EMPTY_DAY = 60_000;

/** The bytes of each merchant's stored invoices of a day. A request lists a thousand. */
async function sizesOf(s3: S3Client, bucket: string, day: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const Prefix = `${dataPrefix('invoices', 'json')}day=${day}/`;
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix })) {
    for (const { Key = '', Size = 0 } of Contents) {
      const code = dataFileInKey(Key)?.merchantCode;
      // Several pulls: corrections, and those that never sealed.
      if (code !== undefined) sizes.set(code, Math.max(Size, sizes.get(code) ?? 0));
    }
  }
  return sizes;
}

/**
 * The longest work first, by what is stored of the day before each message's newest day: what begins last must not take longest.
 * @throws {StorageError} when S3 fails
 */
export async function largestFirst(
  s3: S3Client,
  bucket: string,
  messages: readonly DaysMessage[],
): Promise<DaysMessage[]> {
  const newest = messages.map(({ days }) => days.reduce((last, day) => (day > last ? day : last)));
  const sizes = new Map(
    await Promise.all(
      [...new Set(newest)].map(async (day) => [day, await sizesOf(s3, bucket, addDays(day, -1))] as const),
    ),
  );
  return messages
    .map((message, index) => {
      const bytes = sizes.get(newest[index] ?? '')?.get(message.merchantCode) ?? UNKNOWN;
      return { message, work: message.days.length * (bytes + EMPTY_DAY) };
    })
    .sort((one, other) => other.work - one.work)
    .map(({ message }) => message);
}
