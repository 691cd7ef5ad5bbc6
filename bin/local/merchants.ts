import { sandboxMerchant } from '#sandbox/payments/index.ts';
import type { PaymentsData } from '#sandbox/payments/index.ts';
import { addDays, dayAt } from '#records/day/business-day.ts';
import { UsageError } from '../daybook/terminal/command-errors.ts';
import { DEFAULTS } from './settings.ts';

/** A rule as the registry has it (docs/alerts.md). */
export const RULE = {
  name: 'too-many-unpaid',
  measure: 'unpaidCount',
  above: 10,
  clearAt: 8,
  severity: 'warning',
} as const;

/** A merchant of the local run: an account of the payments sandbox and how Daybook reports it. */
export type LocalMerchant = ReturnType<typeof localMerchant>;

/** The same index always gives the same merchant, as in the sandbox. */
function localMerchant(index: number, ...alerts: (typeof RULE)[]) {
  const account = sandboxMerchant(index);
  return {
    account,
    // The sandbox gives every third merchant an Arabic name.
    language: index % 3 === 2 ? 'ar' : 'en',
    timeZone: index % 3 === 1 ? 'Asia/Dubai' : 'Asia/Kuwait',
    recipient: `owner-${account.merchantCode}@example.com`,
    attachCsv: index % 3 === 1,
    attachXlsx: index % 3 === 2,
    alerts,
  };
}

/** A merchant that the service knows and Daybook does not: for `daybook merchant add`. Far above the numbers that `--merchants` allows. */
export const NEW_MERCHANT = localMerchant(902);

/** The demonstration's own merchant: it has an alert rule, and its service is down when its report is due. */
export const WATCHED = localMerchant(903, RULE);

/** A merchant and the day to report. `day` is `YYYY-MM-DD`. */
export interface MerchantDay {
  merchant: LocalMerchant;
  day: string;
}

/** The first merchants, up to this number; the same ones in every run. */
export function localMerchants(count: number): LocalMerchant[] {
  return Array.from({ length: count }, (_, index) => localMerchant(index));
}

/**
 * The day to report for a merchant.
 *
 * @param day `undefined` for yesterday in the merchant's zone
 * @param now milliseconds UTC
 * @throws {UsageError} when the day has not begun in the merchant's zone
 */
export function merchantDay(merchant: LocalMerchant, day: string | undefined, now: number): MerchantDay {
  const today = dayAt(now, merchant.timeZone);
  if (day !== undefined && day > today) {
    throw new UsageError(`--day ${day} has not begun yet in ${merchant.timeZone}, where it is ${today}`);
  }
  return { merchant, day: day ?? addDays(today, -1) };
}

/** The size of a day; `undefined` leaves an existing day as it is. */
interface WantedSize {
  invoices?: number | undefined;
  refunds?: number | undefined;
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

/** Changes the days as days change up to the morning in two days. @param revisions how many each day has: a new number gives new changes */
export function evolveDays(
  data: PaymentsData,
  days: readonly MerchantDay[],
  revisions: (day: MerchantDay) => number,
): Record<'approved' | 'paid' | 'visited', number> {
  const changes = days.map((one) => {
    const morning = `${addDays(one.day, 2)} 06:00:00`;
    return data.evolve(one.merchant.account.merchantCode, one.day, revisions(one), morning);
  });
  const count = (what: 'approved' | 'paid' | 'visited') => changes.flatMap((change) => change[what]).length;
  return { approved: count('approved'), paid: count('paid'), visited: count('visited') };
}
