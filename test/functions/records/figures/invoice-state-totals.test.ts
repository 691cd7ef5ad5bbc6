import { describe, expect, it } from 'vitest';
import { InvoiceStateTotals } from '#records/figures/invoice-state-totals.ts';
import { formatAmount, parseAmount } from '#records/money/money.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const NAMES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled', '9': 'other' } as const;

function totalsOf(invoices: readonly [status: number, amount: string][]): InvoiceStateTotals {
  const totals = new InvoiceStateTotals(NAMES);
  for (const [status, amount] of invoices) totals.add({ invoice_status: status, amount });
  return totals;
}

describe('InvoiceStateTotals', () => {
  it('counts and adds up by the registry’s names', () => {
    const totals = totalsOf([
      [1, '1.500'],
      [1, '2.000'],
      [0, '4.000'],
      [3, '8.250'],
      [9, '0.001'],
    ]);
    expect(totals.counts()).toEqual({ paid: 2, notPaid: 1, cancelled: 1, other: 1 });
    expect(totals.amounts()).toEqual({ paid: '3.500', notPaid: '4.000', cancelled: '8.250', other: '0.001' });
    expect(totals.unknownStatuses.counts()).toEqual({});
  });

  it('counts a status without a name as other, and says how often each such status appeared', () => {
    const totals = totalsOf([17, 5, 17, -1].map((status) => [status, '1.000']));
    expect(totals.counts().other).toBe(4);
    expect(totals.amounts().other).toBe('4.000');
    expect(totals.unknownStatuses.counts()).toEqual({ '-1': 1, '5': 1, '17': 2 });
  });

  it('reads a status beyond 2^53 digit for digit', () => {
    const totals = new InvoiceStateTotals(NAMES);
    totals.add({ invoice_status: JSON.rawJSON('9007199254740993'), amount: '1.000' });
    expect(totals.unknownStatuses.counts()).toEqual({ '9007199254740993': 1 });
  });

  it('counts all invoices together, and adds up to the thousandth', () => {
    const invoice = fc.tuple(
      fc.integer({ min: -2, max: 12 }),
      fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(formatAmount),
    );
    forAll([fc.array(invoice, { maxLength: 50 })], (invoices) => {
      const totals = totalsOf(invoices);
      const counts = Object.values(totals.counts()).reduce((sum, count) => sum + count, 0);
      const amounts = Object.values(totals.amounts()).reduce((sum, amount) => sum + parseAmount(amount), 0n);
      expect(counts).toBe(invoices.length);
      expect(amounts).toBe(invoices.reduce((sum, [, amount]) => sum + parseAmount(amount), 0n));
    });
  });
});
