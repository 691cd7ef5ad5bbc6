import { addDays, dayAt } from '#domain/day/business-day.ts';
import type { Day } from '#domain/day/business-day.ts';
import { InvalidEventError } from '#domain/errors/invalid-event.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import { daysOf } from '#domain/period/period.ts';
import type { PlanItem } from '#domain/plan/plan-item.ts';
import { planItems } from './plan-items.ts';
import type { BackfillEvent, DayEvent } from './plan-event.ts';

/** @throws {InvalidEventError} when the day has not begun yet in the merchant's zone */
function assertBegun(member: string, day: Day, merchant: MerchantSettings, now: number): void {
  const { merchantCode, timeZone } = merchant;
  if (day <= dayAt(now, timeZone)) return;
  const reason = `${day} has not begun yet in ${timeZone}, the zone of merchant ${merchantCode}`;
  throw new InvalidEventError(member, reason);
}

function wantedDay(event: DayEvent, merchant: MerchantSettings, now: number): Day {
  // "yesterday" in a schedule means the day before its scheduled time, even when the event comes late.
  const asOf = event.scheduledTime === undefined ? now : Date.parse(event.scheduledTime);
  if (event.day === 'today') return dayAt(asOf, merchant.timeZone);
  if (event.day === 'yesterday') return addDays(dayAt(asOf, merchant.timeZone), -1);
  assertBegun('day', event.day, merchant, Math.max(asOf, now));
  return event.day;
}

/**
 * One day for each merchant, mailed unless the event says otherwise. A day before a merchant's `reportFrom`
 * is mailed only when the event has `send: true`.
 *
 * @param now milliseconds UTC
 * @throws {InvalidEventError} when the day has not begun yet in the zone of a merchant
 */
export function dayItems(merchants: readonly MerchantSettings[], event: DayEvent, now: number): PlanItem[] {
  return merchants
    .filter(({ alerts }) => event.kind === 'daily' || alerts.length > 0)
    .flatMap((merchant) => {
      const { merchantCode, reportFrom = '' } = merchant;
      const mails = (day: Day) => event.send ?? (event.kind === 'alert' || day >= reportFrom);
      return planItems(merchantCode, [wantedDay(event, merchant, now)], mails, event.scheduledTime);
    });
}

/**
 * Every day of the range for each merchant. Days are mailed only when the event says so. A range that goes
 * beyond today in the zone of a merchant is refused as a whole: a shorter range would leave out days that the
 * caller expects.
 *
 * @param now milliseconds UTC
 * @throws {InvalidEventError} when the range goes beyond today
 */
export function backfillItems(
  merchants: readonly MerchantSettings[],
  event: BackfillEvent,
  now: number,
): PlanItem[] {
  const days = daysOf({ from: event.from, to: event.to });
  return merchants.flatMap((merchant) => {
    assertBegun('to', event.to, merchant, now);
    return planItems(merchant.merchantCode, days, () => event.send ?? false, event.scheduledTime);
  });
}
