import { writeWorkbook } from '#page/workbook/write-workbook.ts';
import type { Language } from '#registry/languages.ts';
import { statementColumns } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { CollectedWorkbook, WORKBOOK_LIMITS } from '#page/rendering/attachments/collected-attachments.ts';
import { statementWorkbook, type WorkbookMerchant } from '#page/rendering/statement/statement-workbook.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { MERCHANT } from '#support/rendering/reports.ts';
import { aStatement } from '#support/rendering/statements.ts';
import { defined } from '#support/assertions/index.ts';
import { cellsOf, expectDifferentHeads, readWorkbook } from '#support/readers/read-workbook.ts';

function merchantIn(language: Language): WorkbookMerchant {
  return {
    ...MERCHANT,
    language,
    invoiceStatuses: { '0': 'not_paid', '1': 'paid', '3': 'cancelled' },
    refunds: { statuses: { '1': 'approved', '0': 'pending' } },
    attachments: { paymentMethods: {}, idsAsText: false },
  };
}

const INVOICE = { id: 501, invoice_type: '1', invoice_status: 1, amount: '37.500' };
const REFUND = {
  id: 61,
  refund_at: '2026-11-20',
  transaction_date: '2026-11-18 10:05:00',
  amount: '2.500',
  status: 1,
};

function collectedRows(language: Language, limits = WORKBOOK_LIMITS): CollectedWorkbook {
  const merchant = merchantIn(language);
  const words = { texts: textsIn(language), timeZone: merchant.timeZone };
  const collected = new CollectedWorkbook(statementColumns(merchant, true), 4, words, limits);
  const on = (day: string) => new AttachmentWords(merchant, day);
  collected.add('invoices', INVOICE, on('2026-11-15'));
  collected.add('invoices', { ...INVOICE, id: 502 }, on('2026-11-18'));
  // The refund is in the page of its sale and in that of its own day.
  collected.add('refunds', REFUND, on('2026-11-18'));
  collected.add('refunds', REFUND, on('2026-11-20'));
  return collected;
}

async function sheetsOf(language: Language) {
  const charges = ['admin_charge'] as const;
  const statement = aStatement({ missing: ['2026-11-16'], unbalanced: ['2026-11-19'], charges });
  const tables = defined(collectedRows(language).sheets());
  return readWorkbook(await writeWorkbook(statementWorkbook(merchantIn(language), statement, tables))).sheets;
}

describe('the workbook of a statement', async () => {
  const sheets = await sheetsOf('en');
  const [summary, days, invoices, refunds] = sheets;

  it('has four sheets, and says which statement it is, what keeps it from being final, and every sum', () => {
    expect(sheets.map(({ name, table }) => [name, table?.name])).toEqual([
      ['Summary', undefined],
      ...['Days', 'Invoices', 'Refunds'].map((name) => [name, name]),
    ]);
    expect(summary?.rows).toEqual(
      expect.arrayContaining([
        ['Period', 'Week of 15–21 November 2026 (2026-W47)', ''],
        ['Status', expect.stringMatching(/^Provisional/), ''],
        ['Missing days', '16 Nov', ''],
        ['Days not confirmed', '19 Nov', ''],
        ['Revision', '1', ''],
        ['Paid', '110', '1100'],
        ['Refunds by the date of the refund', 'Count', 'Amount'],
        ['Approved refunds', '', '15'],
        ['Admin charge', '', '11'],
        ['Net', '', 'unknown'],
        ['Single', '122', '1220'],
        ['KNET', '104', '1055'],
      ]),
    );
  });

  it('has a row for each day, also for a missing one, with sums where all of them are known', () => {
    expect(days?.rows).toHaveLength(1 + 7 + 1);
    expect(days?.rows[2]?.slice(1, 5)).toEqual(['', 'none yet', '', '']);
    expect(cellsOf(days, 5, 'Confirmed', 'Net')).toEqual(['no', 'unknown']);
    expect(cellsOf(days, -1, 'Came in', 'Charges', 'Net')).toEqual(['1100', '11', '']);
  });

  it('has each invoice with the day of its page, and counts a refund that two pages have once', () => {
    expect(invoices?.rows.slice(0, 3).map((row) => row.slice(0, 2))).toEqual([
      ['Day', 'Invoice id'],
      ['46341', '501'],
      ['46344', '502'],
    ]);
    const rows = [1, 2, 3].map((row) =>
      cellsOf(refunds, row, 'Counts in', 'Refunds of the period', 'Amount'),
    );
    expect(refunds?.rows).toHaveLength(1 + 3);
    expect(rows).toEqual([
      ['Not on this day: it has another date', '', '2.5'],
      ['Refunds of the day', '2.5', '2.5'],
      ['', '2.5', ''],
    ]);
  });
});

it.each(['en', 'ar'] as const)('no sheet in %s has two columns of the same name', async (language) =>
  expectDifferentHeads(await sheetsOf(language)),
);

it('is not made when there are too many rows, expected or added', () => {
  const few = collectedRows('en', { rows: 3, characters: 1_000 });
  expect([few.isTooBig, few.sheets()]).toEqual([true, undefined]);
  expect(collectedRows('en', { rows: 100, characters: 10 }).sheets()).toBeUndefined();
});
