import type { PaymentsData } from '#sandbox/payments/index.ts';
import type { MerchantDay } from './merchants.ts';
import { DEFAULTS } from './settings.ts';

/** The size of a day; `undefined` leaves an existing day as it is. */
export interface WantedSize {
  invoices: number | undefined;
  refunds: number | undefined;
}

/**
 * Makes sure that the payment service has the day. Makes the day if it is missing, and adds records if it is smaller than
 * asked for. A day never loses records.
 *
 * @returns a note for the person; `undefined` when the day was made or left as it is
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
  return more < 0 ? `stays at ${count} ${what} (--fresh starts again from nothing)` : undefined;
}

/** What has happened at the service after the day. */
export interface Later {
  paid: number;
  approved: number;
  visited: number;
}

/** Changes the days as days change. @param revisions how many each day has: a new number gives new changes */
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
