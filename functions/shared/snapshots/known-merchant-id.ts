import { addDays } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { SnapshotStore } from './snapshot-store.ts';
import { StoredObjectError } from '#aws/s3-objects.ts';

/** So many days before the spoilt page of the day before are looked at in its place. */
const MOST_LOOKED_BACK = 7;

/**
 * The service's own id of the merchant as far as it is known at little cost: what the registry says, else what the
 * day's newest revision holds, else that of the day before. A revision without records holds the id that was known when
 * it was sealed, so that a quiet day does not break the chain.
 *
 * @param newest the day's newest revision, where it was read
 * @returns `null` where nobody has told it yet
 * @throws {StoredObjectError} when the day before is spoilt, and no page of the week before it tells the id
 */
export async function knownMerchantId(
  snapshots: SnapshotStore,
  { merchantCode, merchantId }: Pick<MerchantSettings, 'merchantCode' | 'merchantId'>,
  day: Day,
  newest: Manifest | undefined,
): Promise<string | null> {
  const known = merchantId ?? newest?.merchantId ?? null;
  if (known !== null) return known;
  const dayBefore = addDays(day, -1);
  try {
    return (await snapshots.newest(merchantCode, dayBefore))?.merchantId ?? null;
  } catch (error) {
    if (!(error instanceof StoredObjectError)) throw error;
    const earlier = await idOfEarlier(snapshots, merchantCode, dayBefore);
    // The spoilt page may have held an id: to go on without one would let anyone's records in.
    if (earlier === null) throw error;
    return earlier;
  }
}

/** The id in the newest page before a day that can be read and has one. */
async function idOfEarlier(snapshots: SnapshotStore, merchantCode: string, day: Day): Promise<string | null> {
  for (let back = 1; back <= MOST_LOOKED_BACK; back += 1) {
    try {
      const id = (await snapshots.newest(merchantCode, addDays(day, -back)))?.merchantId ?? null;
      if (id !== null) return id;
    } catch (error) {
      if (!(error instanceof StoredObjectError)) throw error;
    }
  }
  return null;
}
