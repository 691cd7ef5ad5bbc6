import type { PlanStore } from './store/plan-store.ts';
import type { FailedEvent } from './plan-event.ts';
import { planResult } from './plan-result.ts';
import type { PlanResult } from './plan-result.ts';

/** Of a hundred, to two decimals and never rounded down to none: what fails is said to fail. */
function percentage(failed: number, of: number): number {
  return Math.ceil((failed * 10_000) / of) / 100;
}

/**
 * Plans what a round of the fan-out did not finish, as it was: neither the registry nor the clock has a say, so that
 * the same days are mailed or not as they were meant to be.
 *
 * @param name under which the items are written
 */
export async function planFailed(plans: PlanStore, event: FailedEvent, name: string): Promise<PlanResult> {
  const items = await plans.unfinishedItems(event.failedOf, event.planned);
  const itemsKey = items.length === 0 ? null : await plans.writeItems(name, items);
  const result = planResult(items, itemsKey, []);
  if (event.of === undefined) return result;
  return { ...result, failedPercentage: percentage(items.length, event.of) };
}
