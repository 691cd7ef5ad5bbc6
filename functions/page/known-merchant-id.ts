import { merchantDay } from '#records/storage/keys.ts';
import { addDays, type Day } from '#records/day/business-day.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import { unlessSpoilt } from './page-store.ts';
import type { DayStore } from './day-store.ts';
import { isUnreadableObject } from '#runtime/s3-objects.ts';

/** How many more days are looked at when the revision of the day before is unreadable. */
const MOST_LOOKED_BACK = 7;

/**
 * The service's id of the merchant: from the registry, else the newest revision, the history, the day before
 * (docs/contract.md, 2.3 Invoice record). A quiet day has the id that was known. `null`: not known yet.
 * @throws {StoredObjectError} when that revision is unreadable, and none of the week before has the id
 */
export async function knownMerchantId(
  snapshots: DayStore,
  { merchantCode, merchantId }: Pick<MerchantSettings, 'merchantCode' | 'merchantId'>,
  day: Day,
  newest: Manifest | undefined,
  history?: () => Promise<{ merchantId: string | null }>,
): Promise<string | null> {
  const known = merchantId ?? newest?.merchantId ?? (await history?.())?.merchantId ?? null;
  if (known !== null) return known;
  const dayBefore = addDays(day, -1);
  try {
    return (await snapshots.newest(merchantDay(merchantCode, dayBefore)))?.merchantId ?? null;
  } catch (error) {
    if (!isUnreadableObject(error)) throw error;
    const earlier = await idOfEarlier(snapshots, merchantCode, dayBefore);
    // The unreadable revision may have the id. Without an id, records of any merchant would be accepted.
    if (earlier === null) throw error;
    return earlier;
  }
}

async function idOfEarlier(snapshots: DayStore, merchantCode: string, day: Day): Promise<string | null> {
  for (let back = 1; back <= MOST_LOOKED_BACK; back += 1) {
    const id = merchantDay(merchantCode, addDays(day, -back));
    const page = await unlessSpoilt(() => snapshots.newest(id));
    if (page !== undefined && page.merchantId !== null) return page.merchantId;
  }
  return null;
}
