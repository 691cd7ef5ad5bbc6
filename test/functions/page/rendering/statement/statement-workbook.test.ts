import { describe, expect, it } from 'vitest';
import { writeWorkbook } from '#page/workbook/write-workbook.ts';
import type { Statement } from '#page/figures/statement.ts';
import type { Language } from '#registry/languages.ts';
import { statementColumns } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { CollectedWorkbook, WORKBOOK_LIMITS } from '#page/rendering/attachments/collected-attachments.ts';
import { statementWorkbook, type WorkbookMerchant } from '#page/rendering/statement/statement-workbook.ts';
import { aStatement } from '#support/rendering/statements.ts';
import { defined } from '#support/assertions/defined.ts';
import { readWorkbook } from '#support/readers/read-workbook.ts';

function merchantIn(language: Language): WorkbookMerchant {
  return {
    merchantCode: '700001',
    name: 'Kuwait Coffee',
    timeZone: 'Asia/Kuwait',
    currency: 'KWD',
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
  const collected = new CollectedWorkbook(statementColumns(merchant, true), 4, merchant.timeZone, limits);
  const on = (day: string) => new AttachmentWords(merchant, day);
  collected.add('invoices', INVOICE, on('2026-11-15'));
  collected.add('invoices', { ...INVOICE, id: 502 }, on('2026-11-18'));
  // The refund is in the page of its sale and in that of its own day.
  collected.add('refunds', REFUND, on('2026-11-18'));
  collected.add('refunds', REFUND, on('2026-11-20'));
  return collected;
}

function written(language: Language, changes: Partial<Statement> = {}): Promise<Buffer> {
  const statement = aStatement(
    { missing: ['2026-11-16'], unbalanced: ['2026-11-19'], charges: ['admin_charge'] },
    changes,
  );
  const tables = defined(collectedRows(language).tables());
  return writeWorkbook(statementWorkbook(merchantIn(language), statement, tables));
}

async function sheetsOf(language: Language) {
  return readWorkbook(await written(language)).sheets;
}

describe('the workbook of a statement', async () => {
  const sheets = await sheetsOf('en');
  const [summary, days, invoices, refunds] = sheets;
  const rowOf = (label: string) => summary?.rows.find(([first]) => first === label);

  it('has a summary, the days, the invoices and the refunds', () => {
    expect(sheets.map(({ name, table }) => [name, table?.name])).toEqual([
      ['Summary', undefined],
      ['Days', 'Days'],
      ['Invoices', 'Invoices'],
      ['Refunds', 'Refunds'],
    ]);
  });

  it('says which statement it is, and what keeps it from being final', () => {
    expect(rowOf('Period')?.[1]).toBe('Week of 15–21 November 2026 (2026-W47)');
    expect(rowOf('Status')?.[1]).toMatch(/^Provisional/);
    expect(rowOf('Missing days')?.[1]).toBe('16 Nov');
    expect(rowOf('Days not confirmed')?.[1]).toBe('19 Nov');
    expect(rowOf('Revision')?.[1]).toBe('1');
  });

  it('has every sum: states, refunds, net, types and methods', () => {
    expect(rowOf('Paid')).toEqual(['Paid', '110', '1100']);
    expect(rowOf('Refunds by the date of the refund')).toBeDefined();
    expect(rowOf('Approved refunds')).toEqual(['Approved refunds', '', '15']);
    expect(rowOf('Admin charge')).toEqual(['Admin charge', '', '11']);
    expect(rowOf('Net')).toEqual(['Net', '', 'unknown']);
    expect(rowOf('Single')).toEqual(['Single', '122', '1220']);
    expect(rowOf('KNET')).toEqual(['KNET', '104', '1055']);
  });

  it('has a row for each day, also for a missing one, with sums where all of them are known', () => {
    const [heads, ...rows] = days?.rows ?? [];
    const total = rows.pop();
    const column = (head: string) => heads?.indexOf(head) ?? -1;
    expect(rows).toHaveLength(7);
    expect(rows[1]?.slice(1, 5)).toEqual(['', 'none yet', '', '']);
    expect(rows[4]?.[column('Confirmed')]).toBe('no');
    expect(rows[4]?.[column('Net')]).toBe('unknown');
    expect(total?.[column('Came in')]).toBe('1100');
    expect(total?.[column('Charges')]).toBe('11');
    expect(total?.[column('Net')]).toBe('');
  });

  it('has each invoice with the day of its page', () => {
    expect(invoices?.rows[0]?.slice(0, 2)).toEqual(['Day', 'Invoice id']);
    expect(invoices?.rows.slice(1, 3).map(([day, id]) => [day, id])).toEqual([
      ['46341', '501'],
      ['46344', '502'],
    ]);
  });

  it('counts a refund that two pages have once', () => {
    const [heads, first, second, total] = refunds?.rows ?? [];
    const of = (row: string[] | undefined) =>
      ['Counts in', 'Refunds of the period'].map((head) => row?.[heads?.indexOf(head) ?? -1]);
    expect(of(first)).toEqual(['Not on this day: it has another date', '']);
    expect(of(second)).toEqual(['Refunds of the day', '2.5']);
    expect(of(total)[1]).toBe('2.5');
    expect(total?.[heads?.indexOf('Amount') ?? -1]).toBe('');
  });
});

it.each(['en', 'ar'] as const)('no sheet in %s has two columns of the same name', async (language) => {
  for (const { rows } of (await sheetsOf(language)).slice(1)) {
    const heads = (rows[0] ?? []).map((head) => head.toLowerCase());
    expect(new Set(heads).size).toBe(heads.length);
  }
});

it('is not made when there are too many rows, expected or added', () => {
  const few = collectedRows('en', { rows: 3, characters: 1_000 });
  expect(few.isTooBig).toBe(true);
  expect(few.tables()).toBeUndefined();
  expect(collectedRows('en', { rows: 100, characters: 10 }).tables()).toBeUndefined();
});
