import { addDays } from '../core/business-day.ts';
import type { Day } from '../core/business-day.ts';
import type { Manifest } from '../core/manifest.ts';
import type { MerchantSettings } from '../core/registry.ts';
import type { SnapshotStore } from '../ports.ts';

/**
 * The service's own id of the merchant as far as it is known at little cost: what the registry says, else what the
 * day's newest revision holds, else that of the day before. A revision without records holds the id that was known when
 * it was sealed, so that a quiet day does not break the chain.
 *
 * @param newest the day's newest revision, where it was read
 * @returns `null` where nobody has told it yet
 */
export async function knownMerchantId(
  snapshots: SnapshotStore,
  { merchantCode, merchantId }: Pick<MerchantSettings, 'merchantCode' | 'merchantId'>,
  day: Day,
  newest: Manifest | undefined,
): Promise<string | null> {
  const known = merchantId ?? newest?.merchantId ?? null;
  if (known !== null) return known;
  const dayBefore = await snapshots.newest(merchantCode, addDays(day, -1));
  return dayBefore?.merchantId ?? null;
}
