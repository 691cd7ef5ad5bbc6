import { describe, expect, it } from 'vitest';
import type { GroupPage } from '#page/figures/group-page.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import type { GroupInput } from '#page/rendering/group/render-group.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import { defined } from '#support/assertions/defined.ts';
import { aGroupInput, aGroupPage, aMember, aWeekOf } from '#support/rendering/groups.ts';

const textOf = (input: GroupInput) => inCell(renderGroup(input).text);
const usual = (received: string) => ({ received, total: 20 });

const CORRECTIONS: GroupPage['corrections'] = [
  {
    merchantCode: '700002',
    name: 'Harbour',
    currency: 'KWD',
    period: '2026-11-19',
    fromRevision: 1,
    toRevision: 2,
    before: { received: '180.000', refunds: '2.500' },
    after: { received: '201.000', refunds: '2.500' },
  },
  {
    merchantCode: '700003',
    name: 'Palm Court',
    currency: 'KWD',
    period: '2026-11-19',
    fromRevision: null,
    toRevision: 1,
    before: null,
    after: { received: '90.000', refunds: '0.000' },
  },
];
const MISSING: GroupPage['missing'] = [
  { merchantCode: '700008', name: 'Marina Books', reason: 'not-sealed' },
  { merchantCode: '700009', name: null, reason: 'not-in-registry' },
  { merchantCode: '700010', name: 'Dana', reason: 'not-readable' },
];

const members = [
  aMember('700001', { usual: usual('190.000') }),
  aMember('700002', { usual: usual('350.000') }),
  aMember('700003', { balanced: false, final: false }),
];
const day = aGroupInput(aGroupPage(members, { missing: MISSING, corrections: CORRECTIONS }), {
  attachments: [{ kind: 'attached', format: 'xlsx', rows: 7 }],
});
const week = aGroupInput(
  aGroupPage([aWeekOf('700001'), aWeekOf('700002', { missing: ['2026-11-16'] })], { period: '2026-W47' }),
);
const currencies = aGroupInput(
  aGroupPage([...members.slice(0, 2), aMember('700004', { currency: 'SAR', usual: usual('100.000') })]),
);

describe.each(LANGUAGES)('the text in %s of', (language) => {
  it.each([
    ['day', day],
    ['week', week],
    ['currencies', currencies],
  ])('a group: %s is the golden text', async (name, input) => {
    const { subject, text } = renderGroup({ ...input, group: { ...input.group, language } });
    const prefix = language === 'ar' ? 'arabic-' : '';
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${prefix}${name}.txt`);
  });
});

describe('the subject', () => {
  it.each([
    [
      'a preview',
      { ...currencies, preview: true },
      '[Preview] north · 20 Nov · 400.000 KWD, 200.00 SAR came in',
    ],
    ['no merchant', aGroupInput(aGroupPage([])), 'north · 20 Nov · No merchant has a page yet.'],
  ])('of %s names group, period and outcome', (_, input, subject) => {
    expect(renderGroup(input).subject).toBe(subject);
  });

  it('counts the merchants when there are too many currencies for a line', () => {
    const many = ['KWD', 'SAR', 'AED'].map((currency, index) => aMember(String(index), { currency }));
    expect(renderGroup(aGroupInput(aGroupPage(many))).subject).toBe('north · 20 Nov · 3 merchants');
  });
});

it('a page of several currencies says how many more currencies there are than the mail has room for', () => {
  const codes = Array.from(
    { length: 60 },
    (_, index) =>
      `X${String.fromCharCode(65 + (index % 26))}${String.fromCharCode(65 + Math.floor(index / 26))}`,
  );
  const page = aGroupPage(codes.map((currency, index) => aMember(String(index), { currency })));
  const { text, html } = renderGroup(aGroupInput(page));
  expect(text).toContain('and 10 more currencies');
  expect(Buffer.byteLength(html)).toBeLessThan(102 * 1_024);
});

describe('the table by merchant', () => {
  it('names 200 merchants at most and says where the others are', () => {
    const page = aGroupPage(Array.from({ length: 450 }, (_, index) => aMember(String(700_001 + index))));
    expect(textOf(aGroupInput(page, { attachments: day.attachments }))).toContain(
      'and 250 more merchants. The attached workbook has all of them.',
    );
    expect(textOf(aGroupInput(page))).toMatch(/and 250 more merchants\n/);
    expect(textOf(aGroupInput(page)).match(/rev\. 1/g)).toHaveLength(200);
  });

  it('shows a merchant by its code when nothing of its name is visible', () => {
    expect(textOf(aGroupInput(aGroupPage([aMember('700001', { name: ' \u200B' })])))).toContain(
      '700001 (700001',
    );
  });
});

it('who is missing is named up to fifty, and counted beyond', () => {
  const missing = Array.from({ length: 80 }, (_, index) => ({
    merchantCode: String(700_100 + index),
    name: null,
    reason: 'not-sealed' as const,
  }));
  const text = textOf(aGroupInput(aGroupPage(members, { missing })));
  expect(text.match(/no figures yet/g)).toHaveLength(50);
  expect(text).toContain('and 30 more merchants');
});

it('a later revision says that it replaces the earlier ones', () => {
  const page = { ...day.page, revision: 2 };
  expect(textOf({ ...day, page })).toMatch(
    /^This is revision 2 of this page\. It replaces the earlier ones\./,
  );
});

it('a page that replaces another says what changed: the sums, and the merchants', () => {
  const amounts = { paid: '230.000', notPaid: '1.000', cancelled: '0.000', other: '0.000' };
  const before = aGroupPage([aMember('1'), aMember('2')]);
  const page = aGroupPage([aMember('1'), aMember('2', { received: '230.000', amounts })], { revision: 2 });
  const { net } = defined(before.byCurrency['KWD']);
  const byCurrency = {
    KWD: { ...defined(page.byCurrency['KWD']), net: { ...net, received: '430.000', net: '425.000' } },
  };
  const text = textOf({ ...day, page: { ...page, byCurrency }, before });
  expect(text).toContain('What changed since revision 1');
  expect(text).toContain('Came in (KWD): 400.000 → 430.000\n  Came in less refunds (KWD): 395.000 → 425.000');
  expect(text).toMatch(/\(2 · 20 Nov 2026 · rev\. 1 → 1\): 200\.000 → 230\.000 \/ 2\.500/);
  expect(textOf({ ...day, page: before, before })).not.toContain('What changed');
});

describe('what is usual', () => {
  const saidOf = (period: string, shown = members) => textOf(aGroupInput(aGroupPage(shown, { period })));
  const withoutUsual = [aMember('700001', { usual: null })];

  it('is the same weekday of four weeks, but for a day such as those of Ramadan', () => {
    expect(saidOf('2026-11-20')).toContain('the average of the same weekday in the four weeks before.');
    expect(saidOf('2026-03-06')).toContain(
      'This day is not a usual Friday (Ramadan): “usual” is the same day of the year before.',
    );
    expect(saidOf('2026-03-06')).not.toContain('four weeks before');
  });

  it('is nothing where there is no such day, and the page says why', () => {
    expect(saidOf('2026-03-06', withoutUsual)).toContain(
      'Not compared: this day is not a usual Friday (Ramadan).',
    );
    expect(saidOf('2026-03-27', withoutUsual)).toContain(
      'Not compared: the Fridays before were not usual ones (Eid al-Fitr, Ramadan).',
    );
  });

  it('is the period before, which may have had other days', () => {
    const week = [aWeekOf('700001')];
    expect(saidOf('2026-W13', week)).toContain('“Usual” is the period before.');
    const months = aGroupPage(week, { period: '2026-03', from: '2026-03-01', to: '2026-03-31' });
    expect(textOf(aGroupInput(months))).toContain(
      'March 2026 had days that are not usual: Ramadan, Eid al-Fitr. ' +
        'February 2026 had days that are not usual: Ramadan, National Day.',
    );
    expect(saidOf('2026-11-20')).not.toContain('not usual');
  });
});
