import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { S3Client } from '@aws-sdk/client-s3';
import { isUnreadableObject } from '#runtime/s3-objects.ts';
import type { PageId } from '#records/storage/keys.ts';
import { planItemsKey, tickInItemsKey } from '#records/storage/keys.ts';
import { PlanStore } from '#functions/plan/store/plan-store.ts';
import type { PlanFacts } from './facts.ts';

/** The most ticks that are searched, from the hour of the report on. Ticks without items have no object. */
const MOST_TICKS = 8;

/** The keys of items of the first ticks from a moment on. @param from milliseconds UTC */
async function ticksFrom(s3: S3Client, bucket: string, from: number): Promise<string[]> {
  const name = (moment: number) =>
    `daily/${new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({
      Bucket: bucket,
      Prefix: planItemsKey('daily/').replace(/\.json$/, ''),
      // A key before that of the tick at that moment.
      StartAfter: planItemsKey(name(from - 1_000)),
      MaxKeys: MOST_TICKS,
    }),
  );
  return Contents.flatMap(({ Key }) =>
    Key !== undefined && !Number.isNaN(tickInItemsKey(Key)) ? [Key] : [],
  );
}

/**
 * Which tick handed a merchant's day out with a mail, and whether its round has ended.
 *
 * @param dueAt milliseconds UTC
 */
export async function gatherPlan(
  s3: S3Client,
  bucket: string,
  { owner: { merchantCode }, period: day }: PageId,
  dueAt: number,
): Promise<PlanFacts> {
  const plans = new PlanStore(s3, bucket);
  const [last, ticks] = await Promise.all([plans.lastTick('daily'), ticksFrom(s3, bucket, dueAt)]);
  const lastTick = last.is === 'known' ? last.tick : null;
  for (const itemsKey of ticks) {
    const items = await itemsOf(plans, itemsKey, merchantCode);
    if (!items.some(({ days, send }) => send && days.includes(day))) continue;
    const { rounds } = await plans.openRounds();
    return {
      lastTick,
      plannedAt: new Date(tickInItemsKey(itemsKey)).toISOString(),
      isOpen: rounds.some((round) => round.itemsKey === itemsKey),
    };
  }
  return { lastTick, plannedAt: null, isOpen: false };
}

async function itemsOf(plans: PlanStore, itemsKey: string, merchantCode: string | undefined) {
  try {
    return await plans.items(itemsKey, (item) => item.merchantCode === merchantCode);
  } catch (error) {
    // Other ticks may still name it.
    if (!isUnreadableObject(error)) throw error;
    return [];
  }
}
