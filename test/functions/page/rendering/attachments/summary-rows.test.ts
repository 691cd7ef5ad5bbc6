import { describe, expect, it } from 'vitest';
import type { Manifest } from '#records/revision/manifest.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import { summaryRows, type SummaryRow } from '#page/rendering/attachments/summary-rows.ts';
import type { Language } from '#registry/languages.ts';
import { aManifest } from '#support/rendering/reports.ts';

const NOTHING = { count: 0, total: '0.000', byStatus: {} };

const charges = ['admin_charge'] as const;

function summaryOf(changes: Partial<Manifest> = {}, language: Language = 'en', name = 'Kuwait Coffee') {
  const merchant = {
    merchantCode: '700001',
    name,
    timeZone: 'Asia/Kuwait',
    currency: 'KWD',
    language,
    charges,
  };
  const settings = { language, refunds: { statuses: {} }, attachments: { paymentMethods: {} } };
  const manifest = aManifest(changes);
  return summaryRows(merchant, manifest, new AttachmentWords(settings, manifest.day));
}

const values = (rows: SummaryRow[]) => rows.map((row) => row.map(({ value }) => value));
const rowOf = (rows: SummaryRow[], label: string) => values(rows).find(([head]) => head === label);

describe('the summary of a workbook', () => {
  it('has the day, whether it was checked, and every figure of the manifest', () => {
    expect(values(summaryOf())).toEqual([
      ['Merchant', 'Kuwait Coffee'],
      ['Day', 46_346],
      ['Checked', 'Yes. All figures match the payment service.'],
      ['Read at', 46_347 + (6 * 3_600 + 7) / 86_400],
      ['Time zone', 'Asia/Kuwait'],
      ['Currency', 'KWD'],
      ['Revision', 1],
      [],
      ['Came in, by the day of the payment', 'Count', 'Amount'],
      ['KNET', 1301, 1_234_567.5],
      ['Total', 1301, 1_234_567.5],
      ['For older invoices', 0, 0],
      [],
      ['Net of the day', null, 'Amount'],
      ['Came in', null, 1_234_567.5],
      ['Approved refunds', null, 140.5],
      ['Charges', null, 400.125],
      ['Net', null, 1_234_026.875],
      ['About these figures', 'Counted on the day of the payment.'],
      [],
      ['Invoices made on 20\u00A0November', 'Count', 'Amount'],
      ['Paid by now', 1301, 1_234_567.5],
      ['Unpaid', 96, 4_210.25],
      ['Expired', 0, 0],
      ['Cancelled', 31, 31],
      ['Other', 0, 0],
      ['Issued', 1428, 1_238_808.75],
      [],
      ['Refunds, by the date of the refund', 'Count', 'Amount'],
      ['Approved', 11, 140.5],
      ['Pending', 1, 3],
      ['held-back', 0, 0],
      ['Total', 12, 143.5],
    ]);
  });

  it('has dates, times and amounts as such, and heads and totals in bold', () => {
    const rows = summaryOf();
    const holds = (label: string) => rows.find(([head]) => head?.value === label)?.map((cell) => cell.holds);
    expect(holds('Day')).toEqual(['text', 'day']);
    expect(holds('Read at')).toEqual(['text', 'time']);
    expect(holds('Paid by now')).toEqual(['text', 'integer', 'amount']);
    const strong = rows.flatMap((row) => (row[0]?.strong === true ? [row[0].value] : []));
    expect(strong).toEqual([
      'Came in, by the day of the payment',
      'Total',
      'Net of the day',
      'Net',
      'Invoices made on 20\u00A0November',
      'Issued',
      'Refunds, by the date of the refund',
      'Total',
    ]);
  });

  it('says what is not known, and guesses nothing', () => {
    const counts = { total: 3, paid: null, notPaid: 1, cancelled: 0, other: null };
    const rows = summaryOf({ counts, amounts: null, balanced: false });
    expect(rowOf(rows, 'Paid by now')).toEqual(['Paid by now', 'unknown', 'unknown']);
    expect(rowOf(rows, 'Issued')).toEqual(['Issued', 3, 'unknown']);
    expect(rowOf(rows, 'Checked')?.[1]).toMatch(/^No\. /);
  });

  it('of a page of an earlier version has the paid invoices made that day, and says so', () => {
    const rows = summaryOf({ received: null, outcomes: null, breakdown: null });
    expect(rowOf(rows, 'Came in')).toBeUndefined();
    expect(rowOf(rows, 'Paid')).toEqual(['Paid', null, 1_234_567.5]);
    expect(rowOf(rows, 'Net')).toEqual(['Net', null, 'unknown']);
    expect(rowOf(rows, 'About these figures')?.[1]).toMatch(/^Invoices made on this day/);
  });

  it('says that something is left out of the check', () => {
    const notCompared = [{ name: 'refundListCount', what: 'refund list, count', service: 1, rows: 2 }];
    expect(rowOf(summaryOf({ notCompared }), 'Checked')?.[1]).toMatch(/^Yes, except/);
  });

  it('says until when a day is known that was not over, in the merchant’s time zone', () => {
    const rows = summaryOf({ soFarUntil: '2026-11-20T12:00:00.900Z' });
    expect(rowOf(rows, 'So far, until')).toEqual(['So far, until', 46_346.625]);
    expect(rowOf(summaryOf(), 'So far, until')).toBeUndefined();
  });

  it('has a sum as a text when a spreadsheet would change its digits', () => {
    const paid = '123456789012345678901234567890.125';
    const amounts = { paid, notPaid: '0.000', cancelled: '0.000', other: '0.000' };
    const refunds = { ...NOTHING, total: '9'.repeat(50) + '.001', saleBasis: NOTHING };
    const rows = summaryOf({ amounts, refunds });
    expect(rowOf(rows, 'Paid by now')).toEqual(['Paid by now', 1301, paid]);
    expect(values(rows).flat()).toContain(refunds.total);
  });

  it('is in Arabic for an Arabic mail', () => {
    const rows = summaryOf({}, 'ar');
    expect(rowOf(rows, 'مدفوعة حتى الآن')).toEqual(['مدفوعة حتى الآن', 1301, 1_234_567.5]);
    expect(rowOf(rows, 'مقبولة')).toEqual(['مقبولة', 11, 140.5]);
  });

  it('has the merchant’s name on one line, or the code', () => {
    expect(rowOf(summaryOf({}, 'en', 'a\r\nb\u202E'), 'Merchant')?.[1]).toBe('a b');
    expect(rowOf(summaryOf({}, 'en', '\u200B'), 'Merchant')?.[1]).toBe('700001');
  });
});
