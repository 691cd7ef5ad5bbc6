import { describe, expect, it } from 'vitest';
import { inCell } from '#mail/formatters/outside-text.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import type { StatementCorrectionInput } from '#page/rendering/statement/render-statement.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import { aPage, aStatement, aStatementInput, type StatementPages } from '#support/rendering/statements.ts';

const MERCHANT = { en: {}, ar: { name: 'مقهى الكويت (Kuwait Coffee)', language: 'ar' } } as const;
const CHARGES = ['admin_charge'] as const;

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

const textOf = (input: StatementCorrectionInput) => inCell(renderStatementCorrection(input).text);

const paid = anInput({}, { pages: PAID_LATER });
const final = anInput(
  { missing: ['2026-11-16'], unbalanced: ['2026-11-19', '2026-11-20'] },
  { pages: { ...PAID_LATER, '2026-11-19': { revision: 2 }, '2026-11-20': { revision: 3 } } },
  {
    attachments: [
      { kind: 'attached', format: 'pdf', rows: 7 },
      { kind: 'too-big', format: 'xlsx', rows: 30_000 },
    ],
  },
);

describe.each(LANGUAGES)('the text in %s of', (language) => {
  it.each([
    ['paid-later', paid],
    ['now-final', final],
  ])('%s is the golden text', async (name, input) => {
    const merchant = { ...input.merchant, ...MERCHANT[language] };
    const { subject, text } = renderStatementCorrection({ ...input, merchant });
    const prefix = language === 'ar' ? 'arabic-' : '';
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${prefix}correction-${name}.txt`);
  });
});

describe('the subject', () => {
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
    expect(textOf(input)).toContain('No figures yet for 16 Nov.');
  });

  it('is bounded for any name', () => {
    const input = { ...paid, merchant: { ...paid.merchant, name: 'x'.repeat(5_000) } };
    expect(renderStatementCorrection(input).subject.length).toBeLessThanOrEqual(200);
  });
});

describe('the body', () => {
  it('has changed types, methods and charges', () => {
    const page = aPage('2026-11-18');
    const { breakdown } = page;
    const changed = {
      byType: [{ type: '1', all: { count: 21, amount: '205.250' }, states: null }],
      byMethod: [
        { method: 'KNET', count: 17, amount: '172.500' },
        { method: 'Visa', count: 1, amount: '7.500' },
      ],
      charges: [{ column: 'admin_charge' as const, total: '2.000' }],
    };
    const text = textOf(
      anInput(
        { charges: CHARGES, pages: { '2026-11-18': { breakdown } } },
        { charges: CHARGES, pages: { '2026-11-18': { revision: 2, breakdown: changed } } },
      ),
    );
    expect(text).toContain('Charges: 12.600 → 12.800');
    expect(text).toContain('Net: 1,229.900 → 1,229.700');
    expect(text).toContain('Invoices: Single: 140 → 141');
    expect(text).toContain('Invoices: Instalment: 7 → 6');
    expect(text).toContain('Payment method: Loyalty: 7 → 6');
    expect(text).toContain('Payment method: Visa: 0 → 1');
    expect(text).not.toContain('KNET');
  });

  it('keeps methods apart that the registry calls by one word', () => {
    const page = (count: number) => ({
      breakdown: {
        byType: [],
        byMethod: [
          { method: '1', count, amount: '1.000' },
          { method: '2', count: 5, amount: '1.000' },
        ],
        charges: null,
      },
    });
    const day = '2026-11-18';
    const input = anInput({ pages: { [day]: page(1) } }, { pages: { [day]: { ...page(2), revision: 2 } } });
    const merchant = { ...input.merchant, attachments: { paymentMethods: { '1': 'Card', '2': 'Card' } } };
    expect(textOf({ ...input, merchant })).toContain('Payment method: Card: 1 → 2');
  });

  it('says which days arrived, were confirmed, or are no longer confirmed', () => {
    expect(textOf(final)).toContain('Figures arrived: 16 Nov.\n  Now confirmed: 19–20 Nov.');
    expect(textOf(anInput({}, { unbalanced: ['2026-11-19'] }))).toContain('No longer confirmed: 19 Nov.');
  });

  it('says of a day that is no longer expected that it is gone', () => {
    const { statement } = paid;
    const days = statement.days.slice(1);
    expect(textOf({ ...paid, statement: { ...statement, days } })).toContain('Sun 15 (no longer part of it)');
  });

  it('does not list figures that were unknown as if all of them had changed', () => {
    const text = textOf(anInput({ pages: { '2026-11-18': { breakdown: null, received: null } } }, {}));
    expect(text).not.toContain('Payment method');
    expect(text).not.toContain('unknown →');
  });
});
