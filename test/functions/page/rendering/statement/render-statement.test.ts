import { inCell } from '#mail/formatters/outside-text.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import type { StatementCorrectionInput, StatementInput } from '#page/rendering/statement/render-statement.ts';
import { comparedPeriod } from '#page/figures/statement.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import { preheaderOf } from '#support/rendering/mail-html.ts';
import { anEmptyManifest, attachedFiles } from '#support/rendering/reports.ts';
import {
  WEEK,
  aComparedPeriod,
  aPage,
  aStatement,
  aStatementInput,
  everyDay,
  type StatementPages,
} from '#support/rendering/statements.ts';

const CHARGES = ['admin_charge', 'service_charge'] as const;
const MERCHANT = { en: {}, ar: { name: 'مقهى الكويت (Kuwait Coffee)', language: 'ar' } } as const;

const textOf = (input: StatementInput) => inCell(renderStatement(input).text);

const before = aComparedPeriod('2026-W46', { received: '1300.000', net: null });
const lastYear = aComparedPeriod('2025-W47', { final: false });
const week = aStatementInput({
  statement: aStatement({}, { before, lastYear }),
  attachments: attachedFiles(7, 'pdf', 'xlsx'),
});
const month = aStatementInput({
  statement: aStatement({ period: '2026-11', charges: CHARGES }, { sealedAt: '2026-12-01T06:00:00.000Z' }),
  attachments: [{ kind: 'too-big', format: 'xlsx', rows: 90_000 }],
});
const missing = ['2026-11-16', '2026-11-17', '2026-11-21'];
const provisional = aStatementInput({ statement: aStatement({ missing, unbalanced: ['2026-11-19'] }) });
const withoutStates = aStatementInput({
  statement: aStatement({ pages: { '2026-11-18': { amounts: null, breakdown: null } } }),
});

/** Two more invoices of 18 November were paid. */
const PAID_LATER: StatementPages['pages'] = {
  '2026-11-18': {
    revision: 2,
    counts: { total: 21, paid: 20, notPaid: 0, cancelled: 1, other: 0 },
    amounts: { paid: '201.000', notPaid: '0.000', cancelled: '4.250', other: '0.000' },
  },
};

function anInput(
  before: StatementPages,
  after: StatementPages,
  changes: Partial<StatementCorrectionInput> = {},
): StatementCorrectionInput {
  return {
    ...aStatementInput({ statement: aStatement(after, { revision: 2 }) }),
    before: aStatement(before),
    ...changes,
  };
}

const correctionOf = (input: StatementCorrectionInput) => inCell(renderStatementCorrection(input).text);

const paid = anInput({}, { pages: PAID_LATER });
const final = anInput(
  { missing: ['2026-11-16'], unbalanced: ['2026-11-19', '2026-11-20'] },
  { pages: { ...PAID_LATER, '2026-11-19': { revision: 2 }, '2026-11-20': { revision: 3 } } },
  { attachments: [...attachedFiles(7, 'pdf'), { kind: 'too-big', format: 'xlsx', rows: 30_000 }] },
);

const rendered = (input: StatementInput | StatementCorrectionInput) =>
  'before' in input ? renderStatementCorrection(input) : renderStatement(input);

describe.each(LANGUAGES)('the text in %s of', (language) => {
  it.each<[string, StatementInput | StatementCorrectionInput]>([
    ['week', week],
    ['month', month],
    ['provisional', provisional],
    ['without-states', withoutStates],
    ['correction-paid-later', paid],
    ['correction-now-final', final],
  ])('%s is the golden text', async (name, input) => {
    const merchant = { ...input.merchant, ...MERCHANT[language] };
    const { subject, text } = rendered({ ...input, merchant });
    const prefix = language === 'ar' ? 'arabic-' : '';
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${prefix}${name}.txt`);
  });
});

it('the subject of a preview says so, and has the year of a week when it is not that of the mail', () => {
  const statement = { ...week.statement, sealedAt: '2027-01-03T05:00:00.000Z' };
  expect(renderStatement({ ...week, statement, preview: true }).subject).toBe(
    '[Preview] Kuwait Coffee · Week of 15–21 Nov 2026 · 1,260.000 KWD came in',
  );
});

it('a provisional statement names its missing and unconfirmed days beside the subject, too', () => {
  const preheader = preheaderOf(renderStatement(provisional));
  for (const part of ['Provisional statement', '16–17', '19']) expect(preheader).toContain(part);
});

it('the best and the lowest day are not named when only one day is known', () => {
  const missing = WEEK.slice(0, -1);
  const unknown = Object.fromEntries(missing.map((day) => [day, { amounts: null }]));
  for (const pages of [{ missing }, { pages: unknown }])
    expect(textOf(aStatementInput({ statement: aStatement(pages) }))).not.toContain('Best:');
});

describe('the chart', () => {
  it('shows the numbers of invoices when no amount is known', () => {
    const statement = aStatement({ pages: everyDay({ amounts: null }) });
    expect(textOf(aStatementInput({ statement }))).toContain('Invoices each day');
  });

  it('of a month has a label for each week below its first column', () => {
    const { html } = renderStatement(month);
    const ticks = [...html.matchAll(/colspan="(\d)"[^>]*><bdi>(\d+)<\/bdi>/g)].map(([, ...tick]) => tick);
    expect(ticks).toEqual([
      ['7', '1'],
      ['7', '8'],
      ['7', '15'],
      ['7', '22'],
      ['2', '29'],
    ]);
  });
});

describe('the comparison', () => {
  const withBefore = (before: Parameters<typeof aComparedPeriod>[1]) =>
    textOf(aStatementInput({ statement: aStatement({}, { before: aComparedPeriod('2026-W46', before) }) }));

  it.each(['0.000', '1.000', '-5.000'])('has no percent that says nothing: of %s', (received) => {
    expect(withBefore({ received })).toContain(`  Came in: ${received}\n`);
  });

  it('holds approved refunds against approved refunds, as everywhere', () => {
    const statement = aStatement({}, { before: comparedPeriod(aStatement({ period: '2026-W46' })) });
    const { byStatus } = statement.refunds;
    const pending = { count: 1, total: '9.000' };
    const refunds = { ...statement.refunds, count: 8, total: '26.500', byStatus: { ...byStatus, pending } };
    expect(textOf(aStatementInput({ statement: { ...statement, refunds } }))).toContain(
      '  Refunded: 17.500 (0%)\n',
    );
    // A statement of an earlier version knows those of all statuses alone.
    expect(withBefore({ refunds: { count: 9, total: '99.000' } })).toContain('  Refunded: –\n');
  });

  it('leaves out what was not taken as long after its end', () => {
    const { sealedAt: _sealedAt, ...ofEarlierVersion } = aComparedPeriod('2026-W46');
    const text = textOf(aStatementInput({ statement: aStatement({}, { before: ofEarlierVersion }) }));
    expect(text).not.toContain('earlier periods');
  });

  it('says which of them had days that are not usual', () => {
    const inEid = aComparedPeriod('2025-W14');
    const lastYear = textOf(aStatementInput({ statement: aStatement({}, { lastYear: inEid }) }));
    expect(lastYear).toContain('30 Mar – 5 Apr 2025 had days that are not usual: Eid al-Fitr.');
    expect(withBefore({})).not.toContain('not usual');
  });
});

it('payment methods are in the words of the registry, of ours, or of the service', () => {
  const byMethod = [
    { method: 'apple-pay', count: 1, amount: '1.000' },
    { method: '7', count: 1, amount: '1.500' },
    { method: null, count: 4, amount: '4.500' },
  ];
  const pages = { '2026-11-15': { breakdown: { byType: [], byMethod, charges: null } } };
  const merchant = { attachments: { paymentMethods: { '7': 'Gift voucher' } } };
  const text = textOf(aStatementInput({ merchant, statement: aStatement({ pages }) }));
  for (const method of ['Apple Pay 1 (1.000)', 'Gift voucher 1 (1.500)', 'Other or not recorded 4 (4.500)'])
    expect(text).toContain(method);
});

it('an empty period says so, and shows no figures', () => {
  const { counts, amounts, refunds } = anEmptyManifest();
  const empty = { counts, amounts, refunds, breakdown: { byType: [], byMethod: [], charges: [] } };
  const statement = aStatement({ pages: everyDay(empty) });
  const { subject, text } = renderStatement(aStatementInput({ statement }));
  expect(subject).toBe('Kuwait Coffee · Week of 15–21 Nov · no invoices, no refunds');
  expect(text).toContain('No invoices and no refunds in this period.');
  expect(text).not.toContain('Day by day');
});

it('a statement without any page is rendered', () => {
  const input = aStatementInput({ statement: aStatement({ missing: WEEK }) });
  expect(renderStatement(input).subject).toMatch(/^Provisional: /);
  expect(textOf(input)).toContain('No figures yet for 15–21 Nov.');
});

describe('the subject of a correction', () => {
  it('says so, too, when no figure changed', () => {
    const input = anInput({ unbalanced: ['2026-11-19'] }, {});
    expect(
      renderStatementCorrection({ ...input, before: { ...input.statement, final: false } }).subject,
    ).toMatch(/^Now final: no figure changed/);
  });

  it('names a statement that is still provisional', () => {
    const input = anInput({ missing: ['2026-11-16', '2026-11-17'] }, { missing: ['2026-11-16'] });
    expect(renderStatementCorrection(input).subject).toMatch(
      /^Provisional: Correction: 170.000 KWD more came in/,
    );
    expect(correctionOf(input)).toContain('No figures yet for 16 Nov.');
  });
});

describe('a correction', () => {
  it('has changed types, methods and charges', () => {
    const charges = ['admin_charge'] as const;
    const { breakdown } = aPage('2026-11-18');
    const changed = {
      byType: [{ type: '1', all: { count: 21, amount: '205.250' }, states: null }],
      byMethod: [
        { method: 'KNET', count: 17, amount: '172.500' },
        { method: 'Visa', count: 1, amount: '7.500' },
      ],
      charges: [{ column: 'admin_charge' as const, total: '2.000' }],
    };
    const text = correctionOf(
      anInput(
        { charges, pages: { '2026-11-18': { breakdown } } },
        { charges, pages: { '2026-11-18': { revision: 2, breakdown: changed } } },
      ),
    );
    for (const change of [
      ...['Charges: 12.600 → 12.800', 'Net: 1,229.900 → 1,229.700', 'Invoices: Single: 140 → 141'],
      ...['Invoices: Instalment: 7 → 6', 'Payment method: Loyalty: 7 → 6', 'Payment method: Visa: 0 → 1'],
    ])
      expect(text).toContain(change);
    expect(text).not.toContain('KNET');
  });

  it('keeps methods apart that the registry calls by one word', () => {
    const pages = (revision: number) => {
      const byMethod = [revision, 5].map((count, index) => {
        return { method: String(index + 1), count, amount: '1.000' };
      });
      return { '2026-11-18': { revision, breakdown: { byType: [], byMethod, charges: null } } };
    };
    const input = anInput({ pages: pages(1) }, { pages: pages(2) });
    const merchant = { ...input.merchant, attachments: { paymentMethods: { '1': 'Card', '2': 'Card' } } };
    expect(correctionOf({ ...input, merchant })).toContain('Payment method: Card: 1 → 2');
  });

  it('says which days are no longer confirmed', () => {
    expect(correctionOf(anInput({}, { unbalanced: ['2026-11-19'] }))).toContain(
      'No longer confirmed: 19 Nov.',
    );
  });

  it('says of a day that is no longer expected that it is gone', () => {
    const { statement } = paid;
    const days = statement.days.slice(1);
    expect(correctionOf({ ...paid, statement: { ...statement, days } })).toContain(
      'Sun 15 (no longer part of it)',
    );
  });

  it('does not list figures that were unknown as if all of them had changed', () => {
    const text = correctionOf(anInput({ pages: { '2026-11-18': { breakdown: null, received: null } } }, {}));
    expect(text).not.toContain('Payment method');
    expect(text).not.toContain('unknown →');
  });
});
