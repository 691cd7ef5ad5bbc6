import { describe, expect, it } from 'vitest';
import { InvoiceStateTotals } from '#records/figures/invoice-state-totals.ts';

const NAMES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled', '9': 'other' } as const;

function totalsOf(invoices: readonly [status: number, amount: string][]): InvoiceStateTotals {
  const totals = new InvoiceStateTotals(NAMES);
  for (const [status, amount] of invoices) totals.add({ invoice_status: status, amount });
  return totals;
}

describe('InvoiceStateTotals', () => {
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
});
