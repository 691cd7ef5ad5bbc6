import { figuresOf, type Manifest } from '#records/revision/manifest.ts';
import { renderCorrection, type CorrectionInput } from '#page/rendering/correction/render-correction.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import {
  attachedFiles,
  aChangedInvoice,
  aCorrection,
  aNewRefund,
  aManifest,
} from '#support/rendering/reports.ts';
import { preheaderOf } from '#support/rendering/mail-html.ts';

const arabicMerchant = { name: 'مقهى الكويت (Kuwait Coffee)', language: 'ar' } as const;
const NO_ROWS = { invoices: { count: 0, first: [] }, refunds: { count: 0, first: [] } };
const now = aManifest();

/** A correction of the same figures, with changes to what they were and to what they are. */
function changed(
  before: Partial<Manifest>,
  after: Partial<Manifest> = {},
  more: Parameters<typeof aCorrection>[0] = {},
): CorrectionInput {
  const earlier = aManifest(before);
  return aCorrection({
    before: figuresOf(earlier),
    earlier,
    manifest: aManifest({ revision: 2, ...after }),
    rows: NO_ROWS,
    ...more,
  });
}

const PAID_LATER = { paid: '1234127.000', notPaid: '4650.750', cancelled: '31.000', other: '0.000' };
const twelvePaid = changed({ counts: { ...now.counts, paid: 1_289, notPaid: 108 }, amounts: PAID_LATER });

const unbalanced: Partial<Manifest> = {
  balanced: false,
  counts: { total: 1428, paid: null, notPaid: null, cancelled: null, other: null },
  amounts: null,
};

const HELD_BACK = { state: 'held-back', amount: '1.000' };
const many = aCorrection({
  rows: {
    invoices: {
      count: 12_345,
      first: [
        aChangedInvoice('70000318', { is: { state: 'paid', amount: '40.000' } }),
        aChangedInvoice('70000319', { was: null }),
        aChangedInvoice('70000320', { is: null }),
        ...Array.from({ length: 7 }, (_, index) => aChangedInvoice(String(70_000_321 + index))),
      ],
    },
    refunds: {
      count: 4,
      first: [
        aNewRefund('1400'),
        aNewRefund('1401', { was: HELD_BACK, is: HELD_BACK }),
        aNewRefund('1402', { was: { state: 'approved', amount: '8.000' }, is: null }),
        aNewRefund('1403'),
      ],
    },
  },
});

const subjectOf = (input: CorrectionInput) => inCell(renderCorrection(input).subject);

const besideSubject = (input: CorrectionInput) => preheaderOf(renderCorrection(input));

describe.each(LANGUAGES)('the text in %s of', (language) => {
  const merchant = language === 'ar' ? arabicMerchant : {};
  it.each([
    ['correction', aCorrection({ merchant })],
    ['twelve-paid', { ...twelvePaid, merchant: aCorrection({ merchant }).merchant }],
    ['many-rows', { ...many, merchant: aCorrection({ merchant }).merchant }],
    ['unbalanced', changed({}, unbalanced, { merchant, attachments: [] })],
    ['known', changed(unbalanced, {}, { merchant })],
    ['figures-alone', aCorrection({ merchant, rows: null })],
  ])('%s is the golden text', async (name, input) => {
    const { subject, text } = renderCorrection(input);
    const all = [subject, besideSubject(input), text].join('\n\n');
    await expect(all).toMatchFileSnapshot(`golden/${language === 'ar' ? 'arabic-' : ''}${name}.txt`);
  });
});

describe('subject and headline say what changed', () => {
  const counts = (changes: Partial<Manifest['counts']>) => ({ counts: { ...now.counts, ...changes } });
  const refunds = (changes: Partial<Manifest['refunds']>) => ({ refunds: { ...now.refunds, ...changes } });
  const approved = (count: number, total: string) => ({
    byStatus: { ...now.refunds.byStatus, approved: { count, total } },
  });
  const otherAmount = changed({ received: now.received, amounts: PAID_LATER });
  const oneApproved = changed(refunds(approved(10, '137.500')));
  const lost = changed({}, { balanced: false });
  const LESS = { ...PAID_LATER, paid: '1234570.500', notPaid: '4210.250' };
  const paidBefore = (received: Manifest['received']) =>
    changed({ ...counts({ paid: 1_289 }), received, amounts: PAID_LATER });
  it.each([
    ['less that came in', changed({ ...counts({ paid: 1_302 }), amounts: LESS }), '3.000 KWD less came in'],
    ['more paid, which came in on another day', paidBefore(now.received), '12 more paid, +440.500 KWD'],
    ['more paid since a mail of an earlier version', paidBefore(null), '12 more paid, +440.500 KWD'],
    ['another amount of paid invoices alone', otherAmount, '440.500 KWD more paid'],
    ['refunds alone', changed(refunds({ count: 10, total: '129.500' })), '2 more refunds, +14.000 KWD'],
    ['the amount of refunds alone', changed(refunds({ total: '150.000' })), '6.500 KWD less refunded'],
    ['the status of refunds alone', oneApproved, '1 more refund approved, +3.000 KWD'],
    ['cancelled and unpaid', changed(counts({ cancelled: 30, notPaid: 97 })), '1 more cancelled'],
    ['the total alone', changed(counts({ total: 1_430 })), '2 fewer invoices'],
    ['the balance alone', changed({ balanced: false }), 'the figures now match the payment service'],
    ['the balance that is lost', lost, 'the figures no longer match the payment service'],
    ['a figure without words of its own', changed(counts({ other: null })), 'some figures changed'],
    ['nothing', changed({}), 'no figure changed'],
  ])('%s', (_name, input, what) => {
    const { text } = renderCorrection(input);
    expect(subjectOf(input)).toBe(`Correction: ${what} · Kuwait Coffee · 20 Nov 2026`);
    expect(inCell(text)).toContain(`\nCorrection: ${what}\n`);
  });

  it('and the net is not compared with that of a page that counts on another basis, or cannot be read', () => {
    const ofEarlierVersion = changed({ received: null, amounts: PAID_LATER });
    for (const input of [ofEarlierVersion, { ...twelvePaid, earlier: null }]) {
      expect(besideSubject(input)).not.toContain('Came in less refunds');
      expect(inCell(renderCorrection(input).text)).toContain('\nCame in less refunds: 1,234,427.000 KWD\n');
    }
  });

  it('and the new total and net stand at the top, with the charges in the net', () => {
    const merchant = { charges: ['admin_charge'] as const };
    const input = { ...twelvePaid, merchant: { ...twelvePaid.merchant, ...merchant } };
    const text = inCell(renderCorrection(input).text);
    expect(text).toContain(
      '\nCame in: 1,234,567.500 KWD\nRefunded: 140.500 KWD (3.000 KWD pending)\nNet: 1,234,026.875 KWD\n',
    );
    expect(text).toContain('  Net: 1,233,586.375 → 1,234,026.875\n');
  });

  it('and the preheader says what is new in net, refunds and unpaid, and never the subject again', () => {
    expect(besideSubject(oneApproved)).toBe(
      'Came in less refunds: 1,234,430.000 → 1,234,427.000 KWD · Refunded: 137.500 → 140.500 KWD',
    );
    expect(besideSubject(changed(counts({ cancelled: 30 })))).toMatch(/^Nothing new in/);
    const other = { ...approved(10, '137.500').byStatus, other: { count: 1, total: '3.000' } };
    const unnamed = changed(refunds({ byStatus: other }));
    expect(besideSubject(unnamed)).toContain('Refunded: unknown → 140.500 KWD');
  });
});

describe('the mail', () => {
  it('says of rows without known states what is known: that they are new or gone, and their amounts', () => {
    const state = { state: null, amount: '1.000' };
    const first = [
      aChangedInvoice('1', { was: state, is: { ...state, amount: '2.000' } }),
      aChangedInvoice('2', { was: null, is: state }),
      aChangedInvoice('3', { was: state, is: null }),
    ];
    const rows = { ...NO_ROWS, invoices: { count: 3, first } };
    const text = inCell(renderCorrection(aCorrection({ rows })).text);
    expect(text).toContain(
      '    Invoice 1: 1.000 → 2.000 KWD\n    Invoice 2: new · 1.000 KWD\n    Invoice 3: removed · 1.000 KWD\n',
    );
  });

  it('says where the full figures are: in the attachment, or whom to ask', () => {
    const textWith = (attachments: CorrectionInput['attachments']) =>
      inCell(renderCorrection(aCorrection({ attachments })).text);
    expect(textWith(attachedFiles(1_428, 'csv', 'xlsx'))).toContain(
      'All 1,428 invoices of this day are attached (CSV, XLSX).',
    );
    expect(textWith([{ kind: 'too-big', format: 'csv', rows: 9 }])).toContain('To get all invoices');
  });

  it('has no revision, key or pull id in its body but in the reference at its end', () => {
    const { text, html } = renderCorrection(aCorrection());
    for (const part of [text, html]) {
      expect(part).not.toMatch(/revision|pull|9f2c61aa|days\/|r0002|\.json|\.gz|Daybook_/i);
    }
    expect(inCell(text).trimEnd().split('\n').at(-1)).toBe(
      'Reference 700001 · 2026-11-20 · 2 · cdcdcdcdcdcdcdcd',
    );
  });

  it('of a day that was not over says so, and claims nothing of what was left out of the check', () => {
    const soFarUntil = '2026-11-20T11:05:00.000Z';
    const notCompared = [{ what: 'stats.invoice_paid', service: 1, rows: 2 }];
    const text = inCell(renderCorrection(changed({}, { soFarUntil, notCompared })).text);
    expect(text).toContain('The figures are from before 14:05.');
    expect(text).toContain('Checked, except for what your provider left out of the check.');
  });
});
