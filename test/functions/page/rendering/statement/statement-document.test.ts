import type { SummaryDocument } from '#page/rendering/document/document.ts';
import { groupWorkbook } from '#page/rendering/group/group-workbook.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { statementDocument } from '#page/rendering/statement/statement-document.ts';
import {
  aGroupInput,
  aGroupPage,
  aWeekOf,
  aComparedPeriod,
  aPage,
  aStatement,
  aStatementInput,
} from '#support/rendering/statements.ts';

const sectionOf = ({ sections }: SummaryDocument, title: string) => {
  const found = sections.find((section) => section.title === title);
  return {
    rows: found?.rows.map((row) => row.map(inCell)) ?? [],
    total: found?.total?.map(inCell) ?? [],
    heads: found?.columns.map(({ head }) => head) ?? [],
    note: inCell(found?.note ?? ''),
  };
};

const month = aStatementInput({
  statement: aStatement(
    { period: '2026-11', charges: ['admin_charge', 'service_charge'] },
    { before: aComparedPeriod('2026-10'), sealedAt: '2026-12-01T06:00:00.000Z' },
  ),
});
const provisional = aStatementInput({
  statement: aStatement({ missing: ['2026-11-16'], unbalanced: ['2026-11-19'] }),
});
const inCurrency = (currency: string, dates: string[]) =>
  Object.fromEntries(dates.map((date) => [`2026-11-${date}`, { currency }]));
const mixed = aStatementInput({
  statement: aStatement({
    pages: { ...inCurrency('KWD', ['15', '16', '17']), ...inCurrency('SAR', ['18', '19', '20', '21']) },
  }),
});

describe('the document of a statement', () => {
  const document = statementDocument(month);

  it('names merchant, period, revision and time', () => {
    expect(document.title).toBe('Statement · \u2068November\u00A02026\u2069');
    expect(document.facts.map(({ label, value }) => [label, inCell(value)])).toEqual([
      ['Merchant', 'Kuwait Coffee'],
      ['Merchant code', '700001'],
      ['Period', 'November 2026'],
      ['Status', 'Final: every day is there and passed the check.'],
      ['Currency', 'KWD'],
      ['Revision', '1'],
      ['Made on', '1 December 2026 at 09:00 (Kuwait time)'],
    ]);
    expect(document.notices).toEqual([]);
    expect(document.metadata).toMatchObject({ author: 'Daybook', createdAt: '2026-12-01T06:00:00.000Z' });
  });

  it('has all sections, each with figures that add up', () => {
    expect(document.sections.map(({ title }) => title)).toEqual([
      ...['Net of the period', 'Invoices made in this period', 'Open invoices', 'Unpaid invoices by age'],
      ...['Day by day', 'By seven days', 'Refunds by the date of the refund', 'By invoice type'],
      ...['Came in by payment method', 'Against earlier periods', 'About these figures'],
    ]);
    expect(sectionOf(document, 'Net of the period')).toMatchObject({
      rows: [
        ['Came in', '4,650.000 KWD'],
        ['Approved refunds', '-75.000 KWD'],
        ['Admin charge', '-46.500 KWD'],
        ['Service charge', '-15.000 KWD'],
      ],
      total: ['Net', '4,513.500 KWD'],
    });
    const days = sectionOf(document, 'Day by day');
    expect(days).toMatchObject({
      heads: ['Day', 'Payments', 'Came in', 'Refunded', 'Charges', 'Net'],
      total: ['Total', '465', '4,650.000', '75.000', '61.500', '4,513.500'],
    });
    expect(days.rows).toHaveLength(30);
    expect(days.rows[14]).toEqual(['Sun 15', '15', '150.000', '2.500', '2.000', '145.500']);
    expect(sectionOf(document, 'Open invoices')).toMatchObject({
      rows: [
        ['Open at the start', '31', '325.500'],
        ['Made in this period', '+555', '+5,407.500'],
        ['Paid', '-465', '-4,650.000'],
        ['Cancelled', '-30', '-127.500'],
        ['Expired', '-60', '-630.000'],
      ],
      total: ['Open at the end', '31', '325.500'],
    });
    expect(sectionOf(document, 'Unpaid invoices by age').rows).toHaveLength(4);
  });

  it('of several currencies has what was open of each', () => {
    const titles = statementDocument(mixed).sections.map(({ title }) => inCell(title));
    for (const of of ['KWD · 15–17 Nov', 'SAR · 18–21 Nov'])
      expect(titles).toEqual(
        expect.arrayContaining([`Open invoices · ${of}`, `Unpaid invoices by age · ${of}`]),
      );
  });

  it.each([
    ['a week', aStatementInput()],
    ['a month', month],
    ['a provisional week', provisional],
    ['a week in two currencies', mixed],
    ['a week of six days', aStatementInput({ statement: { ...aStatement(), from: '2026-11-16' } })],
  ])('has every sum of the mail, and all that keeps it from being a usual one: %s', (_, input) => {
    const { notices, facts, sections } = statementDocument(input);
    const document = inCell(JSON.stringify([notices, facts, sections]));
    const mail = inCell(renderStatement(input).text.split('\nThis address is on the list')[0] ?? '');
    const figures = mail.match(/\d[\d.,]*\d|\d/g) ?? [];
    expect(figures.length).toBeGreaterThan(50);
    for (const figure of figures) expect(document).toContain(figure);
    for (const [sentence] of mail.matchAll(/(?:This week has|The statement of|Its days are) .*?\./g))
      expect(document).toContain(sentence);
  });

  it('says what keeps it from being final', () => {
    const of = statementDocument({ ...provisional, preview: true });
    expect(of.notices.map(inCell)).toEqual([
      expect.stringMatching(/^Preview/),
      'Provisional statement. No figures yet for 16 Nov. Not confirmed: 19 Nov.',
    ]);
    const { rows, note } = sectionOf(of, 'Day by day');
    expect(rows[1]).toEqual(['Mon 16', 'none yet']);
    expect(rows[4]?.[0]).toBe('Thu 19*');
    expect(note).toContain('not confirmed');
    expect(sectionOf(of, 'Net of the period').total).toEqual(['Came in less refunds', 'unknown']);
  });

  it('begins the line below each page with its reference, because a long name is cut', () => {
    const digest = month.statement.digest.slice(0, 16);
    expect(inCell(document.footer)).toBe(`Reference 700001 · 2026-11 · 1 · ${digest} · Kuwait Coffee`);
  });

  it('is in the language of the merchant', () => {
    const arabic = statementDocument({ ...month, merchant: { ...month.merchant, language: 'ar' } });
    expect(arabic).toMatchObject({ language: 'ar', direction: 'rtl' });
  });

  it('has nothing of the refunds of the period’s own sales, and neither have its mail and the page of a group', () => {
    const { refunds } = aPage('2026-11-18');
    const sales = { count: 12_345, total: '67890.123' };
    const saleBasis = { ...sales, byStatus: { approved: sales } };
    const pages = { '2026-11-18': { refunds: { ...refunds, saleBasis } } };
    const input = aStatementInput({ statement: aStatement({ pages }) });
    expect(input.statement.refunds.saleBasis).toEqual(saleBasis);
    const group = aGroupInput(aGroupPage([aWeekOf('700001', { pages })]));
    expect(group.page.byCurrency['KWD']?.refunds.saleBasis).toEqual(saleBasis);
    const files = [statementDocument(input), groupWorkbook(group)].map((file) => JSON.stringify(file));
    for (const text of [...files, renderStatement(input).text, renderGroup(group).text])
      expect(text.replaceAll(/(?<=\d),(?=\d)/g, '')).not.toMatch(/12345|67890/);
  });
});
