import type { PlanItem } from '#plan/plan-item.ts';
import type { StatementItem } from '#page/statement-item.ts';

/** The items of days among items of any kind. */
export function dayItemsOf(items: readonly (PlanItem | StatementItem)[] | undefined): PlanItem[] {
  return (items ?? []).flatMap((item) => ('days' in item ? [item] : []));
}
