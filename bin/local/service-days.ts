import type { PaymentsData } from '#sandbox/payments/index.ts';
import type { MerchantDay } from './merchants.ts';
import { DEFAULTS } from './settings.ts';

/** How large a day is to be; `undefined` leaves a day that is there already as it is. */
export interface WantedSize {
  invoices: number | undefined;
  refunds: number | undefined;
}

/**
 * Sees to it that the payment service has the day: makes it where it is not there, and lets more come in where it is
 * smaller than asked for. A day never loses records.
 *
 * @returns what a person should know, `undefined` when the day simply was made or is as it was
 */
export function provideDay(
  data: PaymentsData,
  { merchant, day }: MerchantDay,
  wanted: WantedSize,
): string | undefined {
  const { merchantCode } = merchant.account;
  const { invoices, refunds } = data.truth(merchantCode, day);
  if (invoices.count === 0 && refunds.count === 0) {
    data.seedDay(merchantCode, day, {
      invoices: wanted.invoices ?? DEFAULTS.invoices,
      refunds: wanted.refunds ?? DEFAULTS.refunds,
    });
    return undefined;
  }
  const moreInvoices = (wanted.invoices ?? invoices.count) - invoices.count;
  const moreRefunds = (wanted.refunds ?? refunds.count) - refunds.count;
  const size = { invoices: Math.max(0, moreInvoices), refunds: Math.max(0, moreRefunds) };
  if (size.invoices > 0 || size.refunds > 0) {
    data.seedDay(merchantCode, day, { ...size, seed: 1 + invoices.count + refunds.count });
  }
  const notes = [
    noteOf('invoices', invoices.count, moreInvoices),
    noteOf('refunds', refunds.count, moreRefunds),
  ].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join('; ');
}

function noteOf(what: 'invoices' | 'refunds', count: number, more: number): string | undefined {
  if (more > 0) return `${more} more ${what} came in`;
  return more < 0 ? `stays at ${count} ${what} (--fresh begins anew)` : undefined;
}

/** What has happened at the service after the day. */
export interface Later {
  paid: number;
  approved: number;
  visited: number;
}

/** Lets the days change as days do. @param revisions how many a day has: another number, other changes */
export function evolveDays(
  data: PaymentsData,
  days: readonly MerchantDay[],
  revisions: (day: MerchantDay) => number,
): Later {
  const later: Later = { paid: 0, approved: 0, visited: 0 };
  for (const merchantDay of days) {
    const { merchantCode } = merchantDay.merchant.account;
    const { paid, approved, visited } = data.evolve(merchantCode, merchantDay.day, revisions(merchantDay));
    later.paid += paid.length;
    later.approved += approved.length;
    later.visited += visited.length;
  }
  return later;
}
