import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChargeSum } from '#records/figures/charges.ts';
import type { DayCharges } from '#records/figures/charges.ts';
import { dayNet } from '#records/figures/day-net.ts';
import { InvoiceStateTotals } from '#records/figures/invoice-state-totals.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { aManifest } from '#support/rendering/reports.ts';

const NONE: DayCharges = { kind: 'none' };
const DAY = '2026-11-20';
const STATUSES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled' } as const;
const REFUND_STATUSES = { '0': 'pending', '1': 'approved', '2': 'rejected' };
const { drift } = aManifest();

const simple = aManifest({
  amounts: { paid: '100.000', notPaid: '7.000', cancelled: '0.000', other: '0.000' },
  refunds: {
    count: 3,
    total: '14.250',
    byStatus: {
      approved: { count: 1, total: '4.250' },
      pending: { count: 2, total: '10.000' },
    },
    saleBasis: { count: 9, total: '90.000', byStatus: { approved: { count: 9, total: '90.000' } } },
  },
});

function withRefunds(byStatus: Manifest['refunds']['byStatus'], changes: Partial<Manifest> = {}): Manifest {
  const sums = Object.values(byStatus);
  const count = sums.reduce((all, sum) => all + sum.count, 0);
  return { ...simple, ...changes, refunds: { ...simple.refunds, count, byStatus } };
}

describe('the net of a day', () => {
  it('is received less the approved refunds by the date of the refund, pending ones apart', () => {
    expect(dayNet(simple, NONE)).toEqual({
      received: '100.000',
      refunded: '4.250',
      pending: { count: 2, total: '10.000' },
      charges: NONE,
      net: '95.750',
      unknown: [],
    });
  });

  const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 20n }).map((units) => `${units}.007`);
  const thousandths = (text: string) => BigInt(text.replace('.', ''));
  const sum = (amounts: readonly string[]) => amounts.reduce((all, each) => all + thousandths(each), 0n);

  it('equals the sum over the rows: paid amounts less charges less approved refunds of the day', () => {
    const invoice = fc.record({
      invoice_status: fc.constantFrom(0, 1, 1, 3),
      amount,
      admin_charge: amount,
      service_charge: amount,
    });
    const refund = fc.record({
      status: fc.constantFrom(0, 1, 1, 2),
      amount,
      id: fc.nat(),
      refund_at: fc.constantFrom(DAY, DAY, '2026-11-19'),
      transaction_date: fc.constantFrom(`${DAY} 08:00:00`, '2026-11-01 08:00:00'),
    });
    fc.assert(
      fc.property(fc.array(invoice), fc.array(refund), (invoices, refunds) => {
        const states = new InvoiceStateTotals(STATUSES);
        const charges = new ChargeSum({ charges: ['admin_charge'], invoiceStatuses: STATUSES });
        const given = new RefundDayTotals(DAY, REFUND_STATUSES);
        for (const row of invoices) {
          states.add(row);
          charges.add(row);
        }
        for (const row of refunds) given.add(row);
        const sealed = { ...simple, amounts: states.amounts(), refunds: given.figures() };
        const { net } = dayNet(sealed, charges.charges());
        const paid = invoices.filter(({ invoice_status: status }) => status === 1);
        const approved = refunds.filter((row) => row.status === 1 && row.refund_at === DAY);
        expect(net === null ? null : thousandths(net)).toBe(
          sum(paid.map((row) => row.amount)) -
            sum(paid.map((row) => row.admin_charge)) -
            sum(approved.map((row) => row.amount)),
        );
      }),
    );
  });
});

describe('the net is unknown, and not guessed,', () => {
  it.each([
    ['when the day is unbalanced', { ...simple, balanced: false }, NONE, ['unbalanced']],
    ['when invoice statuses are not configured', { ...simple, amounts: null }, NONE, ['states']],
    [
      'when invoices have a status without a name, and the number of paid ones is not confirmed',
      {
        ...simple,
        drift: { ...drift, unknownInvoiceStatuses: { '8': 3 } },
        notCompared: [{ name: 'statsPaid', what: 'stats.invoice_paid', service: 5, rows: 4 }],
      },
      NONE,
      ['states'],
    ],
    [
      'when a refund of the day has a status without a name',
      withRefunds(
        { approved: { count: 1, total: '4.250' }, other: { count: 1, total: '2.000' } },
        { drift: { ...drift, unknownRefundStatuses: { '5': 1 } } },
      ),
      NONE,
      ['refunds'],
    ],
    [
      'when more statuses have no name than the manifest lists',
      withRefunds(
        { approved: { count: 1, total: '4.250' }, other: { count: 1, total: '2.000' } },
        { drift: { ...drift, notListed: { ...drift.notListed, refundStatuses: 1 } } },
      ),
      NONE,
      ['refunds'],
    ],
    [
      'when no status of the registry is named approved',
      withRefunds({ done: { count: 1, total: '4.250' } }),
      NONE,
      ['refunds'],
    ],
    ['when a charge is unknown', simple, { kind: 'unknown', why: 'column' }, ['charges']],
    [
      'when the invoices were not read for charges',
      simple,
      { kind: 'unknown', why: 'not-read' },
      ['charges'],
    ],
    [
      'when the statuses were configured at the seal and are not any more',
      simple,
      { kind: 'unknown', why: 'states' },
      ['charges'],
    ],
    [
      'for one reason, given once',
      { ...simple, amounts: null },
      { kind: 'unknown', why: 'states' },
      ['states'],
    ],
    [
      'for every reason that there is',
      withRefunds({ done: { count: 1, total: '1.000' } }, { balanced: false, amounts: null }),
      { kind: 'unknown', why: 'column' },
      ['unbalanced', 'states', 'refunds', 'charges'],
    ],
  ] as const)('%s', (_when, sealed, charges, unknown) => {
    const day = dayNet(sealed, charges);
    expect([day.net, day.unknown]).toEqual([null, unknown]);
  });

  it('yet the sums are what the records say when only the balance fails', () => {
    expect(dayNet({ ...simple, balanced: false }, NONE)).toMatchObject({
      received: '100.000',
      refunded: '4.250',
    });
  });
});

describe('the net is known', () => {
  it.each([
    [
      'without a name for approved, when the day has no refund',
      withRefunds({}, { drift: { ...drift, unknownRefundStatuses: { '5': 1 } } }),
      '100.000',
    ],
    [
      'when only a refund of another day has a status without a name',
      withRefunds(
        { approved: { count: 1, total: '4.250' } },
        { drift: { ...drift, unknownRefundStatuses: { '5': 1 } } },
      ),
      '95.750',
    ],
    [
      'when the registry itself names a status other',
      withRefunds({ approved: { count: 1, total: '4.250' }, other: { count: 1, total: '2.000' } }),
      '95.750',
    ],
    [
      'when an invoice has a status without a name and the service confirms the number of paid ones',
      { ...simple, drift: { ...drift, unknownInvoiceStatuses: { '8': 3 } } },
      '95.750',
    ],
  ])('%s', (_when, sealed, net) => {
    expect(dayNet(sealed, NONE).net).toBe(net);
  });
});
