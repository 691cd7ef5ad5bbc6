import { describe, expect, it } from 'vitest';
import { inCell } from '#mail/formatters/outside-text.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { comparedPeriod } from '#page/figures/statement.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import {
  WEEK,
  aComparedPeriod,
  aStatement,
  aStatementInput,
  everyDay,
} from '#support/rendering/statements.ts';

const CHARGES = ['admin_charge', 'service_charge'] as const;
const MERCHANT = { en: {}, ar: { name: 'مقهى الكويت (Kuwait Coffee)', language: 'ar' } } as const;

const textOf = (input: Parameters<typeof renderStatement>[0]) => inCell(renderStatement(input).text);

const week = aStatementInput({
  statement: aStatement(
    {},
    {
      before: aComparedPeriod('2026-W46', { received: '1300.000', net: null }),
      lastYear: aComparedPeriod('2025-W47', { final: false }),
    },
  ),
  attachments: [
    { kind: 'attached', format: 'pdf', rows: 7 },
    { kind: 'attached', format: 'xlsx', rows: 7 },
  ],
});
const month = aStatementInput({
  statement: aStatement({ period: '2026-11', charges: CHARGES }, { sealedAt: '2026-12-01T06:00:00.000Z' }),
  attachments: [{ kind: 'too-big', format: 'xlsx', rows: 90_000 }],
});
const provisional = aStatementInput({
  statement: aStatement({
    missing: ['2026-11-16', '2026-11-17', '2026-11-21'],
    unbalanced: ['2026-11-19'],
  }),
});
const withoutStates = aStatementInput({
  statement: aStatement({ pages: { '2026-11-18': { amounts: null, breakdown: null } } }),
});

describe.each(LANGUAGES)('the text in %s of', (language) => {
  it.each([
    ['week', week],
    ['month', month],
    ['provisional', provisional],
    ['without-states', withoutStates],
  ])('%s is the golden text', async (name, input) => {
    const merchant = { ...input.merchant, ...MERCHANT[language] };
    const { subject, text } = renderStatement({ ...input, merchant });
    const prefix = language === 'ar' ? 'arabic-' : '';
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${prefix}${name}.txt`);
  });
});

describe('the subject', () => {
  it('of a preview says so', () => {
    const { subject } = renderStatement({ ...week, preview: true });
    expect(subject).toBe('[Preview] Kuwait Coffee · Week of 15–21 Nov · 1,260.000 KWD came in');
  });

  it('has the year of a week only when it is not that of the mail', () => {
    const { statement } = week;
    const input = { ...week, statement: { ...statement, sealedAt: '2027-01-03T05:00:00.000Z' } };
    expect(renderStatement(input).subject).toContain('Week of 15–21 Nov 2026');
  });
});

it('a provisional statement names its missing and unconfirmed days beside the subject, too', () => {
  const [, preheader = ''] =
    /<div style="display:none[^>]*>([^<]*)/.exec(renderStatement(provisional).html) ?? [];
  for (const part of ['Provisional statement', '16–17', '19']) expect(preheader).toContain(part);
});

describe('the best and the lowest day', () => {
  const of = (pages: Parameters<typeof aStatement>[0]) =>
    textOf(aStatementInput({ statement: aStatement(pages) }));

  it('are not named when only one day is known', () => {
    const missing = WEEK.slice(0, -1);
    expect(of({ missing })).not.toContain('Best:');
    expect(of({ missing })).not.toContain('Came in each day');
    const unknown = Object.fromEntries(missing.map((day) => [day, { amounts: null }]));
    expect(of({ pages: unknown })).not.toContain('Best:');
  });
});

describe('the chart', () => {
  it('shows the numbers of invoices when no amount is known', () => {
    const statement = aStatement({ pages: everyDay({ amounts: null }) });
    const { text } = renderStatement(aStatementInput({ statement }));
    expect(text).toContain('Invoices each day');
    expect(text).not.toContain('Came in each day');
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

  it('has the earlier amount and the difference in percent', () => {
    expect(withBefore({})).toContain('  Came in: 1,000.000 (+26%)\n');
    expect(withBefore({ received: '1300.000' })).toContain('1,300.000 (-3.1%)');
  });

  it('has no percent of nothing, and of a change that percent cannot show', () => {
    expect(withBefore({ received: '0.000' })).toContain('  Came in: 0.000\n');
    expect(withBefore({ received: '1.000' })).toContain('  Came in: 1.000\n');
    expect(withBefore({ received: '-5.000' })).toContain('  Came in: -5.000\n');
  });

  it('has a dash for what is not known', () => {
    expect(withBefore({ received: null })).toContain('  Came in: –\n');
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

  it('says which of the statements were provisional', () => {
    expect(withBefore({ final: false })).toContain('The statement of 8–14 Nov 2026 was provisional.');
  });

  it('says how long after their end the periods are compared, and leaves out what was not taken so', () => {
    expect(withBefore({})).toContain('Each as it stood 1 day after its end.');
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

  it('is left out when nothing is known', () => {
    expect(renderStatement(aStatementInput()).text).not.toContain('earlier periods');
  });
});

describe('payment methods', () => {
  const pages = {
    '2026-11-15': {
      breakdown: {
        byType: [],
        byMethod: [
          { method: 'www.pay.example <b>', count: 2, amount: '3.000' },
          { method: 'apple-pay', count: 1, amount: '1.000' },
          { method: '7', count: 1, amount: '1.500' },
          { method: null, count: 4, amount: '4.500' },
        ],
        charges: null,
      },
    },
  };
  const input = aStatementInput({ statement: aStatement({ pages }) });

  it('are in the words of the registry, of ours, or of the service', () => {
    const merchant = { ...input.merchant, attachments: { paymentMethods: { '7': 'Gift voucher' } } };
    const text = textOf({ ...input, merchant });
    expect(text).toContain('Apple Pay 1 (1.000)');
    expect(text).toContain('Gift voucher 1 (1.500)');
    expect(text).toContain('Other or not recorded 4 (4.500)');
  });
});

it('an empty period says so, and shows no figures', () => {
  const nothing = { count: 0, total: '0.000', byStatus: {} };
  const empty = {
    counts: { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 },
    amounts: { paid: '0.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    refunds: { ...nothing, saleBasis: nothing },
    breakdown: { byType: [], byMethod: [], charges: [] },
  };
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
