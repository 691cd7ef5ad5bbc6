import { ChargeTotals, chargesSchema, CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { dayNet } from '#records/figures/day-net.ts';
import { OutcomeTally, pagePayments } from '#records/figures/outcome-tally.ts';
import { RefundDayTotals } from '#records/figures/refund-totals.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { sumOfTexts } from '#support/records/records.ts';
import { aManifest } from '#support/rendering/reports.ts';
import { fc, forAll } from '#support/assertions/index.ts';

/** What came in, beside the paid invoices that were made on the day. */
function cameIn(sum: string, charges: NonNullable<Manifest['received']>['charges'] = []) {
  const nothing = { count: 0, sum: '0.000' };
  const basis = { paidOn: 3, seen: 0, otherCurrency: 0 };
  return { received: { count: 3, sum, ofEarlier: nothing, byMethod: [], charges, basis } };
}

const DAY = '2026-11-20';
const STATUSES = { '0': 'not_paid', '1': 'paid', '3': 'cancelled' } as const;
const REFUND_STATUSES = { '0': 'pending', '1': 'approved', '2': 'rejected' };
const { drift } = aManifest();
const PAID_APART = { name: 'statsPaid', what: 'stats.invoice_paid', service: 5, rows: 4 };

const simple = aManifest({
  ...cameIn('100.000', [
    { column: 'admin_charge', total: '1.125' },
    { column: 'service_charge', total: null },
  ]),
  amounts: { paid: '333.000', notPaid: '7.000', cancelled: '0.000', other: '0.000' },
  refunds: {
    count: 3,
    total: '14.250',
    byStatus: { approved: { count: 1, total: '4.250' }, pending: { count: 2, total: '10.000' } },
    saleBasis: { count: 9, total: '90.000', byStatus: { approved: { count: 9, total: '90.000' } } },
  },
});

/** As a page of an earlier version: it says nothing of payments. */
const ofEarlierVersion: Manifest = {
  ...simple,
  received: null,
  breakdown: { byType: [], byMethod: [], charges: [{ column: 'admin_charge', total: '2.000' }] },
};

function withRefunds(byStatus: Manifest['refunds']['byStatus'], changes: Partial<Manifest> = {}): Manifest {
  const sums = Object.values(byStatus);
  const count = sums.reduce((all, sum) => all + sum.count, 0);
  return { ...simple, ...changes, refunds: { ...simple.refunds, count, byStatus } };
}

describe('the net of a day', () => {
  it('is what came in less the approved refunds, both by their own date, pending ones apart', () => {
    expect(dayNet(simple, [])).toEqual({
      basis: 'cameIn',
      received: '100.000',
      refunded: '4.250',
      pending: { count: 2, total: '10.000' },
      chargeColumns: [],
      charges: '0.000',
      net: '95.750',
      unknown: [],
    });
  });

  it('counts the invoices made that day on a page of an earlier version, and says so', () => {
    const made = { basis: 'made', received: '333.000', net: '328.750' };
    expect(dayNet(ofEarlierVersion, [])).toMatchObject(made);
    expect(dayNet(ofEarlierVersion, ['admin_charge']).net).toBe('326.750');
  });

  it('has the charges of what came in, by the columns that the registry names', () => {
    const made = { amounts: null, breakdown: ofEarlierVersion.breakdown };
    const charges = { chargeColumns: ['admin_charge'], charges: '1.125', net: '94.625' };
    expect(dayNet({ ...simple, ...made }, ['admin_charge'])).toMatchObject(charges);
    const known = cameIn('1.000', [
      { column: 'admin_charge', total: '900719925474099.301' },
      { column: 'service_charge', total: '-0.002' },
    ]);
    expect(dayNet({ ...simple, ...known }, CHARGE_COLUMNS).charges).toBe('900719925474099.299');
    expect(dayNet({ ...simple, ...known }, ['service_charge']).charges).toBe('-0.002');
  });

  const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 20n }).map((units) => `${units}.007`);

  it('equals the sum over the rows: paid that day, less their charges, less approved refunds of the day', () => {
    const invoice = fc.record({
      invoice_status: fc.constantFrom(0, 1, 1, 3),
      amount,
      admin_charge: amount,
      service_charge: amount,
      madeBefore: fc.boolean(),
      paid_on: fc.constantFrom(`${DAY} 09:30:00`, '2026-11-21 00:00:01'),
    });
    const refund = fc.record({
      status: fc.constantFrom(0, 1, 1, 2),
      amount,
      id: fc.nat(),
      refund_at: fc.constantFrom(DAY, DAY, '2026-11-19'),
      transaction_date: fc.constantFrom(`${DAY} 08:00:00`, '2026-11-01 08:00:00'),
    });
    const settings = { invoiceTypes: ['1'], invoiceStatuses: STATUSES, timeZone: 'Asia/Kuwait' };
    const readAt = Date.parse('2026-11-21T03:00:00Z');
    forAll([fc.array(invoice), fc.array(refund)], (invoices, refunds) => {
      const tallyOf = (day: string) => [day, new OutcomeTally(day, readAt, settings)] as const;
      const tallies = new Map(['2026-11-18', DAY].map(tallyOf));
      const given = new RefundDayTotals(DAY, REFUND_STATUSES);
      for (const [id, { madeBefore, paid_on, ...row }] of invoices.entries()) {
        const said = { ...row, transaction: { paid_on } };
        tallies.get(madeBefore ? '2026-11-18' : DAY)?.add('1', { id, ...row }, said);
      }
      for (const row of refunds) given.add(row);
      const [before, made] = [...tallies.values()].map((tally) => tally.outcomes());
      const others = [{ day: '2026-11-18', currency: 'KWD', outcomes: before ?? null }];
      const { received } = pagePayments({ day: DAY, currency: 'KWD', outcomes: made ?? null, others });
      const { net } = dayNet({ ...simple, received, refunds: given.figures() }, ['admin_charge']);
      const cameIn = invoices.filter((row) => row.invoice_status === 1 && row.paid_on.startsWith(DAY));
      const approved = refunds.filter((row) => row.status === 1 && row.refund_at === DAY);
      const taken = [...cameIn.map((row) => row.admin_charge), ...approved.map((row) => row.amount)];
      expect(sumOfTexts([net, ...taken])).toBe(sumOfTexts(cameIn.map((row) => row.amount)));
    });
  });
});

const APPROVED = { approved: { count: 1, total: '4.250' } };
const AND_OTHER = { ...APPROVED, other: { count: 1, total: '2.000' } };
const UNNAMED = { drift: { ...drift, unknownRefundStatuses: { '5': 1 } } };
const UNNAMED_INVOICES = { drift: { ...drift, unknownInvoiceStatuses: { '8': 3 } } };
const NOT_LISTED = { drift: { ...drift, notListed: { ...drift.notListed, refundStatuses: 1 } } };
const STATES_UNKNOWN = { ...UNNAMED_INVOICES, notCompared: [PAID_APART] };
const WITHOUT_STATES = { received: null, amounts: null };
const NOT_CONFIRMED = { ...simple, ...STATES_UNKNOWN };
const WORST = withRefunds({ done: APPROVED.approved }, { balanced: false, ...STATES_UNKNOWN });
const WITHOUT_CHARGES = { ...ofEarlierVersion, breakdown: null };

describe('the net is unknown, and not guessed,', () => {
  it.each([
    ['when the day is unbalanced', { ...simple, balanced: false }, [], ['unbalanced']],
    ['when invoice statuses are not configured', { ...simple, ...WITHOUT_STATES }, [], ['states']],
    ['when paid ones are not confirmed beside a status without a name', NOT_CONFIRMED, [], ['states']],
    ['when a refund has a status without a name', withRefunds(AND_OTHER, UNNAMED), [], ['refunds']],
    ['when more have no name than it lists', withRefunds(AND_OTHER, NOT_LISTED), [], ['refunds']],
    ['when no status is named approved', withRefunds({ done: APPROVED.approved }), [], ['refunds']],
    ['when a charge is unknown', simple, ['service_charge'], ['charges']],
    ['when a charge was not sealed', { ...simple, ...cameIn('1.000') }, ['service_charge'], ['charges']],
    ['when an earlier version sealed no charges', WITHOUT_CHARGES, ['admin_charge'], ['charges']],
    ['for one reason, given once', { ...simple, ...WITHOUT_STATES }, ['admin_charge'], ['states']],
    [
      'for every reason that there is',
      WORST,
      ['service_charge'],
      ['unbalanced', 'states', 'refunds', 'charges'],
    ],
  ] as const)('%s', (_when, sealed, charges, unknown) => {
    const day = dayNet(sealed, charges);
    expect([day.net, day.unknown]).toEqual([null, unknown]);
  });

  it('yet the sums are what the records say when only the balance fails', () => {
    const sums = { received: '100.000', refunded: '4.250' };
    expect(dayNet({ ...simple, balanced: false }, [])).toMatchObject(sums);
  });
});

it.each([
  ['without a name for approved, when the day has no refund', withRefunds({}, UNNAMED), '100.000'],
  ['when only a refund of another day has no name', withRefunds(APPROVED, UNNAMED), '95.750'],
  ['when the registry itself names a status other', withRefunds(AND_OTHER), '95.750'],
  [
    'when an invoice has a status without a name and the service confirms the number of paid ones',
    { ...simple, ...UNNAMED_INVOICES },
    '95.750',
  ],
])('the net is known %s', (_when, sealed, net) => {
  expect(dayNet(sealed, []).net).toBe(net);
});

it.each([
  ['redacted', { service_charge: null }],
  ['missing', {}],
  ['a number', { service_charge: 0.25 }],
  ['no amount of the contract', { service_charge: '0.25' }],
  ['words', { service_charge: 'free' }],
])('the charges of invoices have no total in a column in which one is %s', (_what, row) => {
  const totals = new ChargeTotals();
  const paid = { admin_charge: '0.250', service_charge: '0.100' };
  for (const each of [paid, { admin_charge: '0.250', ...row }, paid]) totals.add(each);
  expect(totals.totals()).toEqual([
    { column: 'admin_charge', total: '0.750' },
    { column: 'service_charge', total: null },
  ]);
});

it.each([
  [[], true],
  [['service_charge', 'admin_charge'], true],
  [['admin_charge', 'admin_charge'], false],
  [['discount'], false],
  ['admin_charge', false],
])('the columns of charges in the registry %j are usable: %s', (columns, usable) => {
  expect(chargesSchema.safeParse(columns).success).toBe(usable);
});
