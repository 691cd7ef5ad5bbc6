import { addDays, type Day } from '#records/day/business-day.ts';
import type { Outcomes } from '#records/figures/invoice-outcomes.ts';
import { OutcomeTally, type EarlierOutcomes } from '#records/figures/outcome-tally.ts';
import { formatAmount } from '#records/money/money.ts';
import { defined } from '#support/assertions/defined.ts';
import { fc } from '#support/assertions/for-all.ts';

/** An invoice and what becomes of it, in days after the day on which it was made. */
export interface MadeInvoice {
  id: number;
  /** The last one has no name. */
  status: 0 | 1 | 3 | 9;
  /** Thousandths. */
  amount: bigint;
  /** `null`: its payment time is unreadable. */
  paidAfter: number | null;
  /** Until the last day of its link; `null`: it says none. */
  linkDays: number | null;
}

export const OUTCOME_SETTINGS = {
  timeZone: 'Asia/Kuwait',
  invoiceTypes: ['1'],
  invoiceStatuses: { '0': 'not_paid', '1': 'paid', '3': 'cancelled' },
} as const;

/** @param most days until a payment and until the end of a link */
export function anyInvoices(most: number, maxLength: number): fc.Arbitrary<MadeInvoice[]> {
  const invoice = fc.record<MadeInvoice>({
    id: fc.nat(),
    status: fc.constantFrom(0, 0, 1, 1, 3, 9),
    amount: fc.bigInt(1n, 10n ** 9n),
    paidAfter: fc.option(fc.nat(most)),
    linkDays: fc.option(fc.nat(most)),
  });
  return fc.uniqueArray(invoice, { selector: ({ id }) => id, maxLength });
}

/** What became of the invoices of a day, as it was read on another. */
export function outcomesOf(
  day: Day,
  readOn: Day,
  invoices: readonly MadeInvoice[],
  before?: EarlierOutcomes,
): Outcomes {
  const tally = new OutcomeTally(day, Date.parse(`${readOn}T03:00:00Z`), OUTCOME_SETTINGS, before);
  for (const { id, status, amount, paidAfter, linkDays } of invoices) {
    tally.add(
      '1',
      { id, invoice_status: status, amount: formatAmount(amount) },
      {
        expires_at: linkDays === null ? 'never' : addDays(day, linkDays),
        transaction: {
          paid_on: paidAfter === null ? null : `${addDays(day, paidAfter)} 12:00:00`,
          payment_type: 'KNET',
        },
      },
    );
  }
  return defined(tally.outcomes());
}
