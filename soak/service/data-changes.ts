import { addDays, type Day } from '#records/day/business-day.ts';
import type { Random } from '#sandbox/payments/day/random.ts';
import type { World } from '../world.ts';

/** The most days that a tick looks back. */
export const LONGEST_LOOKBACK = 7;

/** Starts or continues the service's day: adds this many records. */
export function moreRecords(world: World, merchantCode: string, day: Day, random: Random): void {
  const { data } = world.payments;
  const seed = 1 + random.below(1_000_000);
  data.seedDay(merchantCode, day, { invoices: random.below(14), refunds: random.below(3), seed });
}

/** A person looks at invoices: rows change, but no figure. */
export function visitDay(world: World, merchantCode: string, day: Day, random: Random): void {
  const invoices = world.records('invoice', merchantCode, day);
  const visited = invoices[random.below(invoices.length)];
  if (visited === undefined) return;
  world.payments.data.updateInvoice(merchantCode, visited.id, { visited_count: random.below(1_000_000) });
}

/** One change of a past day, or nothing if there is nothing left to change. */
export function changeDay(world: World, merchantCode: string, day: Day, random: Random): void {
  const { data } = world.payments;
  const invoices = world.records('invoice', merchantCode, day);
  const refunds = world.records('refund', merchantCode, day);
  const invoice = invoices[random.below(invoices.length)]?.id;
  const refund = refunds[random.below(refunds.length)]?.id;
  const chosen = random.below(100);
  if (chosen < 25) data.insertInvoice(merchantCode, day, { invoice_type: random.pick([0, 1, 6, 7]) });
  else if (chosen < 40) data.insertRefund(merchantCode, day);
  else if (chosen < 55 && invoice !== undefined)
    data.updateInvoice(merchantCode, invoice, { invoice_status: random.pick([0, 1, 3]) });
  else if (chosen < 75 && invoice !== undefined) data.deleteInvoice(merchantCode, invoice);
  else if (chosen < 88 && refund !== undefined)
    data.updateRefund(merchantCode, refund, { status: random.pick([0, 1, 2]) });
  else if (chosen < 92 && refund !== undefined) data.deleteRefund(merchantCode, refund);
  else data.evolve(merchantCode, day, 1 + random.below(1_000_000));
}

/** Days pulled at least once more from the tick that reports `next` on: it and its lookback days, from `first` on. */
export function daysStillPulled(next: Day, first: Day): Day[] {
  const days = Array.from({ length: 1 + LONGEST_LOOKBACK }, (_, back) => addDays(next, -back));
  return days.filter((day) => day >= first);
}
