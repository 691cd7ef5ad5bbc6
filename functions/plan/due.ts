import { addDays, daysReaching } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { PlanItem } from '#domain/plan/plan-item.ts';
import { planItems } from './plan-items.ts';
import type { TickEvent } from './plan-event.ts';
import { remembered } from './remembered.ts';
import type { RememberedTick } from './tick-window.ts';

/**
 * Finds who is due. A merchant is due when its local clock reached `reportAt` within the window. It gets the
 * day before its local date, and the lookback days counted back from that day. If that day is before its
 * `reportFrom`, the merchant is not due. A lookback day before `reportFrom` is pulled without a mail.
 */
export function dueItems(
  merchants: readonly MerchantSettings[],
  window: RememberedTick,
  event: Pick<TickEvent, 'send' | 'scheduledTime'>,
): PlanItem[] {
  const after = Date.parse(window.since);
  const until = Date.parse(window.tick);
  const reported = new Map<string, Day[]>();
  const earlier = new Map<string, Day>();
  return merchants.flatMap(({ merchantCode, timeZone, reportAt, lookbackDays, reportFrom = '' }) => {
    const days = remembered(reported, `${timeZone} ${reportAt}`, () =>
      daysReaching(reportAt, timeZone, after, until).map((date) => addDays(date, -1)),
    ).filter((day) => day >= reportFrom);
    const lookback = days.flatMap((day) =>
      lookbackDays.map((back) => remembered(earlier, `${day} ${back}`, () => addDays(day, -back))),
    );
    const mails = (day: Day) => day >= reportFrom && event.send !== false;
    return planItems(merchantCode, [...days, ...lookback], mails, event.scheduledTime);
  });
}
