import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import { DaybookError } from '#records/errors/daybook-error.ts';
import type { PlanItem } from '../plan-item.ts';
import type { Telemetry } from '#runtime/telemetry.ts';
import type { DaySizes, SizesOfDay } from './day-sizes.ts';

/** Days before an item's newest day: the day before, and the same day of the week. */
const LOOKED_AT = [1, 7];
/** Different newest days: zones give up to three, and rounds that are handed out again a few more. */
const MOST_DAYS = 6;

function newestOf({ days }: PlanItem): Day {
  return days.reduce((newest, day) => (day > newest ? day : newest));
}

/**
 * What the items' merchants had on their last days. A wrong size costs time only, so a list that fails leaves
 * sizes unknown and stops nothing.
 */
export async function knownSizes(
  sizes: DaySizes,
  items: readonly PlanItem[],
  logger: Pick<Telemetry['logger'], 'warn'>,
): Promise<SizesOfDay> {
  const byDay = Map.groupBy(items, newestOf);
  const newest = [...byDay.keys()].sort().slice(-MOST_DAYS);
  const known = new Map<string, number>();
  const lookAt = async (day: Day, codes: readonly string[]) => {
    try {
      for (const [code, bytes] of await sizes.of(day, codes))
        known.set(code, Math.max(bytes, known.get(code) ?? 0));
    } catch (error) {
      if (!(error instanceof DaybookError)) throw error;
      logger.warn('the sizes of a day are not known', { day, reason: error.message });
    }
  };
  await Promise.all(
    newest.flatMap((day) => {
      const codes = (byDay.get(day) ?? []).map(({ merchantCode }) => merchantCode);
      return LOOKED_AT.map((back) => lookAt(addDays(day, -back), codes));
    }),
  );
  return known;
}
