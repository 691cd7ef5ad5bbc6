import type { PlanItem } from '#domain/plan/plan-item.ts';
import type { Run } from './plan-event.ts';
import type { SizesOfDay } from './sizes/day-sizes.ts';
import { shareChildren } from './sizes/share-children.ts';
import type { PlanStore } from './store/plan-store.ts';

/** A part of the items, for one of the two maps of a round. */
interface Part {
  itemCount: number;
  /** `null` when there are none. */
  itemsKey: string | null;
}

/** How the state machine runs the items (docs/interfaces.md, 4.1 plan). */
export interface PlannedChildren {
  /** Those with a child each, and how many of these children run at the same time. */
  own: Part & { places: number };
  /** Those that share children, and how many of these children run at the same time. */
  shared: Part & { batches: number };
}

const NONE: Part = { itemCount: 0, itemsKey: null };

/** A child for each item. */
export function ownChildren(itemCount: number, itemsKey: string | null, { places }: Run): PlannedChildren {
  return { own: { itemCount, itemsKey, places }, shared: { ...NONE, batches: 0 } };
}

/**
 * Writes which items share children. What a tick hands out does, because it comes every day. What a person starts has a
 * child each, whose history can be read.
 *
 * @param name the items were written under this name
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
