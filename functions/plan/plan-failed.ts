import { ownChildren } from './plan-children.ts';
import type { PlanStore } from './store/plan-store.ts';
import type { FailedEvent } from './plan-event.ts';
import { planResult } from './plan-result.ts';
import type { PlanResult } from './plan-result.ts';

/** Two decimals, rounded up, so that a failure never shows as 0. */
function percentage(failed: number, of: number): number {
  return Math.ceil((failed * 10_000) / of) / 100;
}

/**
 * Plans again what a round did not finish. Registry and clock are not read: the days are mailed, or not, as
 * the round meant them.
 * @param name under which the items are written
 */
export async function planFailed(plans: PlanStore, event: FailedEvent, name: string): Promise<PlanResult> {
  const items = await plans.unfinishedItems(event.failedOf, event.planned);
  const itemsKey = items.length === 0 ? null : await plans.writeItems(name, items);
  const result = {
    ...planResult(items, itemsKey, [], []),
    ...(event.run === undefined ? {} : ownChildren(items.length, itemsKey, event.run)),
  };
  if (event.of === undefined) return result;
  return { ...result, failedPercentage: percentage(items.length, event.of) };
}
