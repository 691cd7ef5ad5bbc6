import { describe, expect, it } from 'vitest';
import type { Manifest } from '#records/revision/manifest.ts';
import { parseSum } from '#records/money/money.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';
import { madeOn } from '#page/rendering/invoices-section.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { aManifest, aReport } from '#support/rendering/reports.ts';
import { defined } from '#support/assertions/defined.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const DAY = '2026-11-20';
const ZONE = 'Asia/Kuwait';
const NOTHING = { count: 0, sum: '0.000' };
const NO_INVOICES = { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 };
const NO_AMOUNTS = { paid: '0.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' };

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
    const nothing = received({ ...NOTHING, byMethod: [] });
    const refunds = { ...aManifest().refunds, count: 0, total: '0.000', byStatus: {} };
    expect(shownOf({ ...nothing, refunds })).toMatchObject({
      lead: 'Nothing came in',
      subject: 'Nothing came in',
    });
  });

  it('of a day with refunds alone says so, in the subject, too', () => {
    const alone = { counts: NO_INVOICES, amounts: NO_AMOUNTS };
    expect(shownOf(alone).subject).toBe('140.500 KWD refunded, nothing came in');
    expect(shownOf({ ...alone, received: null }).subject).toBe('140.500 KWD refunded, nothing came in');
    const pending = { ...aManifest().refunds, byStatus: { pending: { count: 12, total: '143.500' } } };
    expect(shownOf({ ...alone, refunds: pending }).lead).toBe('12 refunds, nothing came in');
  });

  it('of a day on which only an older invoice was paid is no quiet day', () => {
    const nothing = { count: 0, total: '0.000', byStatus: {} };
    const refunds = { ...nothing, saleBasis: nothing };
    const older = received({ count: 1, sum: '5.000', ofEarlier: { count: 1, sum: '5.000' } });
    expect(shownOf({ counts: NO_INVOICES, amounts: NO_AMOUNTS, refunds, ...older }).subject).toBe(
      '5.000 KWD came in',
    );
  });
});

describe('the line below it says by what a payment is of the day:', () => {
  it.each([
    [{ paidOn: 9, seen: 0, otherCurrency: 0 }, 'Counted on the day of the payment.'],
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
    const open = ['2026-11-20', '2026-11-21', null].map((lastDay) => ({
      lastDay,
      count: 1,
      amount: '2.000',
    }));
    const read = (pulledAt: string) => {
      const parts = madeOn(
        aManifest({ pulledAt, outcomes: { ...defined(aManifest().outcomes), open } }),
        ZONE,
      );
      return parts
        .filter(({ state }) => state === 'notPaid' || state === 'expired')
        .map((part) => part.count);
    };
    expect(read('2026-11-20T20:59:59.000Z')).toEqual([3, 0]);
    expect(read('2026-11-21T03:00:00.000Z')).toEqual([2, 1]);
    expect(read('2026-11-22T03:00:00.000Z')).toEqual([1, 2]);
  });

  it('are a section that says the day, and what expired means where there is one', () => {
    const open = [{ lastDay: DAY, count: 4, amount: '120.250' }];
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

it('the channels that the invoice list does not hold are named, unless the merchant has none', () => {
  const said =
    'Payments at points of sale, through the payment gateway and by open invoices are not in these figures';
  expect(shownOf({}).text).toContain(said);
  expect(shownOf({}, { otherChannels: true }).text).toContain(said);
  expect(shownOf({}, { otherChannels: false }).text).not.toContain('points of sale');
});
