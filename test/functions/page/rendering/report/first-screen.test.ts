import type { Manifest } from '#records/revision/manifest.ts';
import { parseSum } from '#records/money/money.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import type { Difference } from '#records/figures/figure-schemas.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { madeOn } from '#page/rendering/invoices-section.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';
import { preheaderOf } from '#support/rendering/mail-html.ts';
import { attachedFiles, aManifest, aReport, anEmptyManifest } from '#support/rendering/reports.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';

const textOf = (input: ReportInput) => inCell(renderReport(input).text);

const COUNTED = 'Counted on the day of the payment.';

/** What comes before the first section. */
function firstScreen(input: ReportInput): string[] {
  const lines = (textOf(input).split('\n\n')[0] ?? '').split('\n').slice(2);
  return lines.filter((line) => line !== COUNTED);
}

const { drift } = aManifest();
const NO_REFUNDS = { ...aManifest().refunds, count: 0, total: '0.000', byStatus: {} };
/** A day with these charges of what came in, all of which the merchant bears. */
function charged(adminCharge: string | null): ReportInput {
  const { received } = aManifest();
  const charges = [
    { column: 'admin_charge', total: adminCharge },
    { column: 'service_charge', total: '27.000' },
  ] as const;
  const manifest = aManifest({ received: received && { ...received, charges: [...charges] } });
  return aReport({ merchant: { charges: CHARGE_COLUMNS }, manifest });
}
const NOT_SAID = { total: 9, paid: null, notPaid: null, cancelled: null, other: null };

describe('the first screen', () => {
  it('has the charges and a net when the registry names charges', () => {
    expect(firstScreen(charged('400.125')).slice(1, 4)).toEqual([
      'Refunded: 140.500 KWD (3.000 KWD pending)',
      'Charges: 427.125 KWD',
      'Net: 1,233,999.875 KWD',
    ]);
    expect(textOf(charged('400.125'))).toContain(
      'Net: approved refunds and charges (Admin charge, Service charge) are taken off, pending refunds are not. ' +
        'These are the payment service’s records, not a promise of a payout.\n',
    );
  });

  it.each([
    ['the service gives no counts', { counts: NOT_SAID, balanced: false }, '1,234,567.500 KWD paid'],
    ['neither is known', { counts: NOT_SAID, amounts: null, balanced: false }, 'Paid: unknown, Total: 9'],
  ])('says what is known when %s', (_when, changes, headline) => {
    expect(firstScreen(aReport({ manifest: aManifest(changes) }))[0]).toBe(headline);
  });

  const byStatus = { approved: { count: 11, total: '140.500' }, other: { count: 1, total: '3.000' } };
  const refunds = { ...aManifest().refunds, byStatus };

  it.each([
    [
      'a refund has a status without a name',
      aReport({ manifest: aManifest({ refunds, drift: { ...drift, unknownRefundStatuses: { '7': 1 } } }) }),
      'We do not know for every refund whether it is approved and what its date is.',
    ],
    ['a charge is redacted', charged(null), 'We do not know the charges of every payment.'],
  ])('says that the net is unknown when %s, and why below', (_when, input, reason) => {
    const name = input.merchant.charges === undefined ? 'Came in less refunds' : 'Net';
    expect(firstScreen(input)).toContain(`${name}: unknown (see below)`);
    expect(textOf(input)).toContain(`“${name}” is unknown. ${reason} `);
  });

  it('says until when it is, on a day that is not over', () => {
    const manifest = aManifest({ soFarUntil: '2026-11-20T11:05:00.000Z' });
    expect(firstScreen(aReport({ manifest }))).toEqual([
      '1,234,567.500 KWD came in (today until 14:05)',
      'Refunded: 140.500 KWD (3.000 KWD pending)',
      'Came in less refunds: 1,234,427.000 KWD',
      '✓ Checked at 14:05: all figures so far match the payment service',
    ]);
  });
});

describe('the stamp of a day that does not balance', () => {
  const stampOf = (differences: Difference[], changes: Partial<ReportInput> = {}) =>
    firstScreen(aReport({ manifest: aManifest({ balanced: false, differences }), ...changes })).at(-1);
  const MEANING = 'We will send a correction if anything changes. You need not do anything.';
  const of = (name: string, what: string, service: Difference['service'], rows: Difference['rows']) => {
    return { name, what, service, rows };
  };
  const moving = of('stablePages', 'pages while they were read', 'kept changing', 'read three times');
  const paid = of('statsPaid', 'stats.invoice_paid', 5, 4);
  const listed = of('paginationTotal', 'pagination.total of invoiceType 6', 4, 3);
  const foreign = { ...of('invoiceDay', 'day of the invoices', 9, 8), ids: ['1'] };
  const refund = of('knownRefunds', 'refund 1400', 'not found', null);
  const repeated = of('repeatedFields', 'invoices with amount twice', 3, 'the last value of each');
  const NO_MATCH = 'The service’s totals do not match the invoices that it sent.';
  const SOME = 'Some figures do not match the payment service.';

  it.each<[string, Difference[], string]>([
    ['pages moved', [moving], 'The service’s totals kept changing while we read them.'],
    ['totals differ', [paid], NO_MATCH],
    ['pages have other totals', [listed], NO_MATCH],
    ['totals are missing', [{ ...paid, service: null }], 'The service did not give all of its totals.'],
    ['some are foreign', [foreign], 'The service sent some invoices of another day or another type.'],
    ['a refund is missing', [refund], 'The refunds do not match the payment service’s list.'],
    ['fields repeat', [repeated], 'Some records give one detail twice. We used the last value.'],
    ['there are several kinds', [paid, refund], SOME],
    ['nothing is named', [], SOME],
    ['another version names it', [of('newer', 'something newer', 1, 2)], SOME],
  ])('says what it is and what it means when %s', (_when, differences, sentence) => {
    expect(stampOf(differences)).toBe(`${sentence} ${MEANING}`);
    // Manifests of earlier versions have no names.
    const unnamed = differences.map(({ what, service, rows }) => ({ what, service, rows }));
    if (!differences.some((one) => one === foreign || one === repeated))
      expect(stampOf(unnamed)).toBe(`${sentence} ${MEANING}`);
  });

  it('promises no correction when the day is not read again', () => {
    const ask = 'Ask your provider before you rely on these figures.';
    expect(stampOf([paid], { isReadAgain: false })).toBe(`${NO_MATCH} ${ask}`);
  });
});

describe('what a list of mails shows beside the subject', () => {
  it.each([
    [{}, 'Came in less refunds: 1,234,427.000 KWD · Refunded: 140.500 KWD · Unpaid: 96 (4,210.250 KWD)'],
    [
      { balanced: false, amounts: null, counts: NOT_SAID },
      'Came in less refunds: unknown · Refunded: 140.500 KWD · Unpaid: unknown',
    ],
    [anEmptyManifest(), '✓ Checked: all figures match the payment service'],
  ])('is net, refunds and unpaid invoices, or the check of an empty day: %#', (changes, shown) => {
    expect(preheaderOf(renderReport(aReport({ manifest: aManifest(changes) })))).toBe(shown);
  });
});

it('the subject has the year only when it is not that of the mail, and cuts a long name: the amount is in view', () => {
  const ofLastYear = aReport({ manifest: aManifest({ day: '2025-12-31' }) });
  expect(renderReport(ofLastYear).subject).toContain(' · 31 Dec 2025 · ');
  const merchant = { name: 'Kuwait Coffee and Tea Trading Company' };
  expect(renderReport(aReport({ merchant })).subject).toBe(
    'Kuwait Coffee and Tea Trading… · 20 Nov · 1,234,567.500 KWD came in',
  );
});

describe('the body', () => {
  it('has no internals but the reference, its last line', () => {
    const { manifest } = aReport();
    const { text, html } = renderReport(
      aReport({ attachments: [{ kind: 'too-big', format: 'xlsx', rows: 90_412 }] }),
    );
    for (const part of [text, html]) {
      expect(part).not.toContain(manifest.pull);
      expect(part).not.toMatch(/days\/|invoices\/csv|\.json|\.gz|[Rr]evision/);
    }
    expect(text.trimEnd().split('\n').at(-1)).toBe('Reference 700001 · 2026-11-20 · 1 · cdcdcdcdcdcdcdcd');
  });

  it('says which files are attached, and of a day without refunds that there are none', () => {
    const attachments = attachedFiles(428, 'csv', 'xlsx');
    const text = textOf(aReport({ attachments, manifest: aManifest({ refunds: NO_REFUNDS }) }));
    expect(text).toContain(' Attached: CSV, XLSX (428 rows).\n');
    expect(text).toContain('No refunds on this day.\n');
  });
});

const ZONE = 'Asia/Kuwait';

function received(changes: Partial<NonNullable<Manifest['received']>> = {}) {
  return { received: { ...defined(aManifest().received), ...changes } };
}

function shownOf(changes: Partial<Manifest>, more: Partial<ReportInput['merchant']> = {}) {
  const { subject, text } = renderReport(aReport({ merchant: more, manifest: aManifest(changes) }));
  const plain = text.replaceAll('\u00A0', ' ');
  const [, , lead = '', basis = ''] = plain.split('\n');
  return {
    subject: subject.split(' · ').slice(2).join(' · ').replaceAll('\u00A0', ' '),
    lead,
    basis,
    text: plain,
  };
}

describe('the headline', () => {
  it('is what came in, whatever became of the invoices made that day, and how much is for older ones', () => {
    const ofEarlier = { count: 21, sum: '544.000' };
    const shown = shownOf(received({ count: 310, sum: '9975.250', ofEarlier }));
    expect(shown.lead).toBe('9,975.250 KWD came in');
    expect(shown.basis).toBe(
      '544.000 KWD of it is for 21 older invoices. Counted on the day of the payment.',
    );
    expect(shown.subject).toBe('9,975.250 KWD came in');
    expect(shown.text).toContain('\nCame in less refunds: 9,834.750 KWD\n');
  });

  it('says so when nothing came in', () => {
    const nothing = received({ count: 0, sum: '0.000', byMethod: [] });
    const said = 'Nothing came in';
    expect(shownOf({ ...nothing, refunds: NO_REFUNDS })).toMatchObject({ lead: said, subject: said });
  });

  it('of a day with refunds alone says so, in the subject, too', () => {
    const { counts, amounts } = anEmptyManifest();
    const alone = { counts, amounts };
    expect(shownOf(alone).subject).toBe('140.500 KWD refunded, nothing came in');
    expect(shownOf({ ...alone, received: null }).subject).toBe('140.500 KWD refunded, nothing came in');
    const pending = { ...aManifest().refunds, byStatus: { pending: { count: 12, total: '143.500' } } };
    expect(shownOf({ ...alone, refunds: pending }).lead).toBe('12 refunds, nothing came in');
  });

  it('of a day on which only an older invoice was paid is no quiet day', () => {
    const { counts, amounts, refunds } = anEmptyManifest();
    const older = received({ count: 1, sum: '5.000', ofEarlier: { count: 1, sum: '5.000' } });
    expect(shownOf({ counts, amounts, refunds, ...older }).subject).toBe('5.000 KWD came in');
  });
});

describe('the line below it says by what a payment is of the day:', () => {
  it.each([
    [
      { paidOn: 0, seen: 9, otherCurrency: 0 },
      'Counted on the day that we first saw the payment: the records have no payment times.',
    ],
    [
      { paidOn: 8, seen: 1, otherCurrency: 2 },
      'Counted on the day of the payment. ' +
        '1 payment has no time in the records, so it counts on the day that we first saw it. ' +
        '2 payments in another currency are not in it.',
    ],
  ])('%j', (basis, said) => {
    expect(shownOf(received({ basis })).basis).toBe(said);
  });

  it('a page of an earlier version counts invoices made that day', () => {
    const shown = shownOf({ received: null, outcomes: null });
    expect(shown).toMatchObject({
      lead: '1,234,567.500 KWD paid from 1,301 of 1,428 invoices',
      subject: '1,234,567.500 KWD paid',
      basis:
        'Invoices made on this day and paid by our last reading of it. What came in on this day is not known.',
    });
    expect(shown.text).toContain('\nPaid less refunds: 1,234,427.000 KWD\n');
    expect(shown.text).toContain('Paid less refunds: approved refunds are taken off, pending ones are not.');
  });
});

describe('the invoices made on a day', () => {
  const [day, count, amount] = [
    fc.constantFrom('2026-11-20', '2026-11-21', '2026-12-24'),
    fc.nat({ max: 9 }),
    fc.nat().map((units) => `${units}.125`),
  ];
  const settled = fc.array(fc.record({ day, count, amount }), { maxLength: 3 });
  const outcomes = fc.record({
    paid: settled.map((days) => days.map((each) => ({ ...each, seen: 0, byMethod: [], charges: [] }))),
    cancelled: settled,
    open: fc.array(fc.record({ lastDay: fc.option(day), count, amount }), { maxLength: 3 }),
    other: fc.record({ count, amount }),
    seen: fc.constant<{ day: string; ids: string[] }[]>([]),
  });

  it('add up: paid by now, unpaid, expired, cancelled and other are all that were issued', () =>
    forAll([outcomes], (all) => {
      const parts = madeOn(aManifest({ outcomes: all }), ZONE);
      const issued = parts.pop();
      expect(parts.reduce((sum, part) => sum + (part.count ?? 0), 0)).toBe(issued?.count);
      expect(parts.reduce((sum, part) => sum + parseSum(defined(part.amount)), 0n)).toBe(
        parseSum(defined(issued?.amount)),
      );
    }));

  it('count an invoice as expired when the last day of its link was over at the reading, and not as unpaid', () => {
    const days = ['2026-11-20', '2026-11-21', null];
    const open = days.map((lastDay) => ({ lastDay, count: 1, amount: '2.000' }));
    const outcomes = { ...defined(aManifest().outcomes), open };
    const read = (pulledAt: string) => {
      const parts = madeOn(aManifest({ pulledAt, outcomes }), ZONE);
      return parts.flatMap(({ state, count }) => (/^(notPaid|expired)$/.test(state) ? [count] : []));
    };
    expect(read('2026-11-20T20:59:59.000Z')).toEqual([3, 0]);
    expect(read('2026-11-21T03:00:00.000Z')).toEqual([2, 1]);
    expect(read('2026-11-22T03:00:00.000Z')).toEqual([1, 2]);
  });

  it('are a section that says the day, and what expired means where there is one', () => {
    const open = [{ lastDay: '2026-11-20', count: 4, amount: '120.250' }];
    const outcomes = { ...defined(aManifest().outcomes), open };
    expect(shownOf({ outcomes }).text).toContain(
      'Invoices made on 20 November\n----------------------------\n  State: Count · Amount (KWD)\n' +
        '  Paid by now: 1,301 · 1,234,567.500\n  Unpaid: 0 · 0.000\n  Expired: 4 · 120.250\n' +
        '  Cancelled: 31 · 31.000\n  Issued: 1,336 · 1,234,718.750\n' +
        '  Expired: unpaid, and the payment link has ended.\n',
    );
    expect(shownOf({}).text).not.toContain('Expired');
  });
});

it('what came in is shown by payment method, in the registry’s words', () => {
  const byMethod = [
    { method: 'KNET', count: 2, amount: '9.000' },
    { method: 'x1', count: 1, amount: '1.000' },
    { method: null, count: 1, amount: '0.500' },
  ];
  const attachments = { paymentMethods: { x1: 'Wallet' } };
  expect(shownOf(received({ byMethod }), { attachments }).text).toContain(
    'What came in and went back (KWD)\n--------------------------------\n' +
      '  By method: KNET 2 (9.000), Wallet 1 (1.000), Other or not recorded 1 (0.500).\n',
  );
});

it('the channels that the invoice list does not hold are not named where the merchant has none', () => {
  expect(shownOf({}, { otherChannels: false }).text).not.toContain('points of sale');
});
