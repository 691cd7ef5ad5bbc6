import type { PlanItem } from '../plan-item.ts';
import type { SizesOfDay } from './day-sizes.ts';
import { workOf } from './work.ts';

/**
 * The longest work first: what begins last must not take longest.
 * @param largeBytes `undefined`: none is large
 */
export function inOrder(
  items: readonly PlanItem[],
  sizes: SizesOfDay,
  largeBytes: number | undefined,
): PlanItem[] {
  return items
    .map((item) => {
      const bytes = sizes.get(item.merchantCode);
      const isLarge = largeBytes !== undefined && bytes !== undefined && bytes > largeBytes;
      const marked: PlanItem = isLarge ? { ...item, large: true } : item;
      return { item: marked, work: workOf(marked, bytes) };
    })
    .sort((one, other) => other.work - one.work)
    .map(({ item }) => item);
}
