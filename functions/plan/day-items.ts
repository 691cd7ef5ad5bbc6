import type { Day } from '#records/day/business-day.ts';
import type { PlanItem } from './plan-item.ts';

/** One item for the days with mail and one for those without; none without days. A day counts once. */
export function planItems(
  merchantCode: string,
  days: readonly Day[],
  mails: (day: Day) => boolean,
  scheduledTime: string | undefined,
): PlanItem[] {
  const bySend = Map.groupBy(new Set(days), mails);
  return [true, false].flatMap((send) => {
    const itsDays = bySend.get(send);
    if (itsDays === undefined) return [];
    return [{ merchantCode, days: itsDays, send, scheduledTime: scheduledTime ?? null }];
  });
}
