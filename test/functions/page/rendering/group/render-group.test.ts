import { writeWorkbook } from '#page/workbook/write-workbook.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';
import { movers } from '#page/rendering/group/merchants-section.ts';
import type { GroupInput } from '#page/rendering/group/render-group.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import { defined } from '#support/assertions/index.ts';
import { cellsOf, expectDifferentHeads, readWorkbook } from '#support/readers/read-workbook.ts';
import {
  aGroupInput,
  aGroupPage,
  aMember,
  aWeekOf,
  aGroupCorrection,
} from '#support/rendering/statements.ts';
import { attachedFiles, HOSTILE_NAMES } from '#support/rendering/reports.ts';

const textOf = (input: GroupInput) => inCell(renderGroup(input).text);
const usual = (received: string | null) => ({ received, total: 20 });

const CORRECTIONS = [
  aGroupCorrection(),
  aGroupCorrection({
    ...{ merchantCode: '700003', name: 'Palm Court', fromRevision: null, toRevision: 1, before: null },
    after: { received: '90.000', refunds: '0.000' },
  }),
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
  attachments: attachedFiles(7, 'xlsx'),
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

it.each([
  [
    'group, period and outcome of a preview',
    { ...currencies, preview: true },
    '[Preview] north · 20 Nov · 400.000 KWD, 200.00 SAR came in',
  ],
  ['that there is no page', aGroupInput(aGroupPage([])), 'north · 20 Nov · No merchant has a page yet.'],
  [
    'the merchants alone of too many currencies for a line',
    aGroupInput(aGroupPage(['KWD', 'SAR', 'AED'].map((currency, of) => aMember(String(of), { currency })))),
    'north · 20 Nov · 3 merchants',
  ],
])('the subject says %s', (_, input, subject) => {
  expect(renderGroup(input).subject).toBe(subject);
});

it('a page of many currencies says how many more there are than the mail has room for', () => {
  const codes = Array.from(
    { length: 60 },
    (_, index) => `X${String.fromCharCode(65 + (index % 10), 65 + Math.floor(index / 10))}`,
  );
  const page = aGroupPage(codes.map((currency, index) => aMember(String(index), { currency })));
  const { text, html } = renderGroup(aGroupInput(page));
  expect(text).toContain('and 10 more currencies');
  expect(Buffer.byteLength(html)).toBeLessThan(102 * 1_024);
});

it('the table names 200 merchants at most, by name or code, and says where the others are', () => {
  const name = ' \u200B';
  const page = aGroupPage(
    Array.from({ length: 450 }, (_, index) => aMember(String(700_001 + index), index === 0 ? { name } : {})),
  );
  expect(textOf(aGroupInput(page, { attachments: day.attachments }))).toContain(
    'and 250 more merchants. The attached workbook has all of them.',
  );
  const text = textOf(aGroupInput(page));
  expect(text).toMatch(/and 250 more merchants\n/);
  expect(text.match(/rev\. 1/g)).toHaveLength(200);
  expect(text).toContain('700001 (700001');
});

it('who is missing is named up to fifty, and counted beyond', () => {
  const missing = Array.from({ length: 80 }, (_, index) => {
    return { merchantCode: String(700_100 + index), name: null, reason: 'not-sealed' as const };
  });
  const text = textOf(aGroupInput(aGroupPage(members, { missing })));
  expect(text.match(/no figures yet/g)).toHaveLength(50);
  expect(text).toContain('and 30 more merchants');
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
  expect(text).toMatch(/^This is revision 2 of this page\. It replaces the earlier ones\./);
  expect(text).toContain('What changed since revision 1');
  expect(text).toContain('Came in (KWD): 400.000 → 430.000\n  Came in less refunds (KWD): 395.000 → 425.000');
  expect(text).toMatch(/\(2 · 20 Nov 2026 · rev\. 1 → 1\): 200\.000 → 230\.000 \/ 2\.500/);
  expect(textOf({ ...day, page: before, before })).not.toContain('What changed');
});

describe('what is usual', () => {
  const saidOf = (period: string, shown = members) => textOf(aGroupInput(aGroupPage(shown, { period })));
  const withoutUsual = [aMember('700001', { usual: null })];

  it.each([
    [
      'the same day of the year before, of a day such as those of Ramadan',
      saidOf('2026-03-06'),
      'This day is not a usual Friday (Ramadan): “usual” is the same day of the year before.',
    ],
    [
      'nothing, of such a day without that',
      saidOf('2026-03-06', withoutUsual),
      'Not compared: this day is not a usual Friday (Ramadan).',
    ],
    [
      'nothing, after such days',
      saidOf('2026-03-27', withoutUsual),
      'Not compared: the Fridays before were not usual ones (Eid al-Fitr, Ramadan).',
    ],
  ])('is %s, and the page says so', (_, text, said) => {
    expect(text).toContain(said);
    expect(text).not.toContain('four weeks before');
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

describe('the merchants that moved most', () => {
  const moved = (code: string, received: string | null, before: string | null, currency = 'KWD') =>
    aMember(code, { received, usual: before === null ? null : usual(before), currency });
  const withoutAmount = aMember('3', { received: '20.000', usual: usual(null) });
  const same = ['1', '2', '3'].map((code) => moved(code, '10.000', '8.000'));
  const more = [moved('1', '100.000', '99.000'), moved('2', '100.000', '150.000')];
  const dinars = [moved('1', '900000.000', '890000.000', 'IQD'), moved('2', '100.000', '50.000')];
  const known = [moved('1', null, '5.000'), moved('2', '10.000', null)];
  const half = [...known, withoutAmount, moved('4', '5.000', '5.000')];
  const nothing = ['2.505', '9.000', '0.001'].map((before, at) => moved(String(at + 1), '0.000', before));

  it.each<[string, ReturnType<typeof aMember>[], string]>([
    ['are first, with more or with less than usual', [...more, moved('3', '100.000', '80.000')], '231'],
    ['are found in relation to what their currency received in all', dinars, '21'],
    ['come before those without a usual, and these before those whose amount is unknown', half, '4321'],
    ['are those with the largest difference where nothing came in at all', nothing, '213'],
    ['stay in the order of the registry when they are equal', same, '123'],
  ])('%s', (_, ofGroup, order) => {
    const moved = movers({ merchants: ofGroup.map(({ member }) => member) });
    expect(moved.map(({ member }) => member.merchantCode).join('')).toBe(order);
  });

  it('have their exact difference, also where nothing was received at all', () => {
    const { member } = aMember('1', { received: '0.000', usual: usual('2.505') });
    expect(movers({ merchants: [member] })).toEqual([{ member, difference: '-2.505' }]);
  });
});

async function sheetsOf(input: GroupInput) {
  return readWorkbook(await writeWorkbook(groupWorkbook(input))).sheets;
}

const unknown = aMember('700002', { balanced: false, final: false, received: null });
const booked = aGroupInput(
  aGroupPage([aMember('700001', { usual: usual('190.000') }), unknown], { missing: MISSING.slice(2) }),
);

describe('the workbook of a group', async () => {
  const [summary, merchants, missing] = await sheetsOf(booked);

  it('has a summary by currency, and who is missing', () => {
    expect(summary?.rows).toEqual(
      expect.arrayContaining([
        ['Group', 'north', ''],
        ['Status', expect.stringMatching(/^Provisional/), ''],
        ['Missing', '1', ''],
        ['KWD', 'Count', 'Amount'],
        ['Paid', '40', '400'],
      ]),
    );
    expect(missing?.rows.slice(1, 2)).toEqual([['700010', 'Dana', 'its figures cannot be read']]);
  });

  it('has every merchant in the order of the registry, with sums of what is known of all', () => {
    const heads = ['Code', 'Name', 'Paid invoices', 'Came in', 'Difference', 'Final'];
    expect(cellsOf(merchants, 1, ...heads)).toEqual([
      ...['700001', 'Merchant 700001', '20', '200', '10', 'yes'],
    ]);
    expect(cellsOf(merchants, 1, 'Approved refunds', 'Charges', 'Net')).toEqual(['2.5', '0', '197.5']);
    expect(cellsOf(merchants, 2, 'Code', 'Came in', 'Charges', 'Difference', 'Confirmed')).toEqual([
      ...['700002', 'unknown', 'unknown', 'unknown', 'no'],
    ]);
    expect(cellsOf(merchants, 3, 'Refunds, amount', 'Came in')).toEqual(['5', '']);
  });
});

it('adds nothing of different currencies', async () => {
  const mixed = [aMember('1'), aMember('2', { currency: 'SAR' })];
  const [, merchants] = await sheetsOf(aGroupInput(aGroupPage(mixed)));
  expect(merchants?.rows.at(-1)?.filter((cell) => cell !== '')).toEqual(['Total']);
});

it.each(['en', 'ar'] as const)('no sheet in %s has two columns of the same name', async (language) => {
  expectDifferentHeads(await sheetsOf({ ...booked, group: { ...booked.group, language } }));
});

it('keeps hostile names as texts', async () => {
  const hostile = HOSTILE_NAMES.map((name, index) => aMember(String(index + 1), { name }));
  const [, merchants] = await sheetsOf(aGroupInput(aGroupPage(hostile)));
  const names = merchants?.rows.slice(1, -1).map(([, name = '']) => name) ?? [];
  expect(names).toHaveLength(HOSTILE_NAMES.length);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(100);
  for (const [address, cell] of merchants?.cells ?? []) {
    if (address.startsWith('B')) expect(cell).toMatchObject({ type: 's', format: '@' });
  }
});
