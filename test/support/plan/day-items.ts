import type { PlanItem } from '#domain/plan/plan-item.ts';
import type { StatementItem } from '#domain/plan/statement-item.ts';

/** The items of days among items of any kind. */
export function dayItemsOf(items: readonly (PlanItem | StatementItem)[] | undefined): PlanItem[] {
  return (items ?? []).flatMap((item) => ('days' in item ? [item] : []));
}
