import type { PlanItem } from './plan-item.ts';
import type { Run } from './plan-event.ts';
import type { SizesOfDay } from './sizes/day-sizes.ts';
import { shareChildren } from './sizes/share-children.ts';
import type { PlanStore } from './store/plan-store.ts';

interface Part {
  itemCount: number;
  itemsKey: string | null;
}

export interface PlannedChildren {
  own: Part & { places: number };
  shared: Part & { batches: number };
}

const NONE: Part = { itemCount: 0, itemsKey: null };

export function ownChildren(itemCount: number, itemsKey: string | null, { places }: Run): PlannedChildren {
  return { own: { itemCount, itemsKey, places }, shared: { ...NONE, batches: 0 } };
}

/**
 * What a tick hands out shares children; what a person starts has a child each, whose history can be read.
 * @param name under which the items were written
 * @param itemsKey of all of them
 */
export async function planChildren(
  plans: PlanStore,
  {
    name,
    itemsKey,
    items,
    isTick,
  }: { name: string; itemsKey: string | null; items: PlanItem[]; isTick: boolean },
  sizes: SizesOfDay,
  run: Run,
): Promise<PlannedChildren> {
  if (itemsKey === null || !isTick) return ownChildren(items.length, itemsKey, run);
  const { own, shared } = shareChildren(items, sizes, run.places);
  if (shared.items.length === 0) return ownChildren(items.length, itemsKey, run);
  const part = async (which: string, some: PlanItem[]): Promise<Part> =>
    some.length === 0
      ? NONE
      : { itemCount: some.length, itemsKey: await plans.writeItems(`${name}/${which}`, some) };
  return {
    own: { ...(await part('own', own.items)), places: own.places },
    shared: { ...(await part('shared', shared.items)), batches: shared.batches },
  };
}
