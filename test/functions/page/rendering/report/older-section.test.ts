import { describe, expect, it } from 'vitest';
import { inCell } from '#mail/formatters/outside-text.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { LargestChange, OlderChanges, Way } from '#page/rendering/report/older-section.ts';
import { aManifest, aReport, anEmptyManifest } from '#support/rendering/reports.ts';

const NONE = { count: 0, sum: '0.000' };

function ways(
  some: Partial<OlderChanges['sums'][number]['ways']>,
): Record<Way, { count: number; sum: string }> {
  return { paid: NONE, cancelled: NONE, approved: NONE, rejected: NONE, other: NONE, ...some };
}

const PAID: LargestChange = {
  table: 'invoices',
  day: '2026-11-18',
  currency: 'KWD',
  id: '90431',
  was: { state: 'notPaid', amount: '120.000' },
  is: { state: 'paid', amount: '120.000' },
};
const APPROVED: LargestChange = {
  ...PAID,
  table: 'refunds',
  id: '1400',
  was: { state: 'pending', amount: '12.000' },
  is: { state: 'approved', amount: '12.000' },
};

const OLDER: OlderChanges = {
  pages: [
    { day: '2026-11-18', revision: 2 },
    { day: '2026-11-03', revision: 5 },
  ],
  sums: [
    {
      currency: 'KWD',
      ways: ways({ paid: { count: 9, sum: '412.500' }, approved: { count: 1, sum: '12.000' } }),
    },
  ],
  largest: [PAID, APPROVED],
  older: {
    expired: { count: 2, sum: '31.500' },
    leaving: { count: 1, sum: '12.000', until: '2026-08-22' },
  },
};

/** The section, with plain spaces. */
function section(older: OlderChanges, changes: Parameters<typeof aReport>[0] = {}): string[] {
  const lines = inCell(renderReport(aReport({ older, ...changes })).text).split('\n');
  const from = lines.findIndex((line) => /^(?:Since the last report|منذ التقرير السابق)$/.test(line));
  const to = lines.findIndex((line, index) => index > from && line.trim() === '');
  return from === -1 ? [] : lines.slice(from + 2, to).map((line) => line.trim());
}

describe('the section about older days', () => {
  it('says what became of older invoices and refunds, the largest of them, and which pages have a new number', () => {
    expect(section(OLDER)).toEqual([
      '9 older invoices were paid: 412.500 KWD. 1 older refund was approved: 12.000 KWD. ' +
        '2 older invoices expired unpaid: 31.500 KWD. ' +
        '1 invoice made up to 22 Aug is still unpaid: 12.000 KWD. We will not look at it again.',
      'Invoice 90431, 18 Nov: Paid · 120.000 KWD',
      'Refund 1400, 18 Nov: Approved · 12.000 KWD',
      'Pages with a new number: 18 Nov · page 2, 3 Nov · page 5',
    ]);
  });

  it('keeps currencies apart', () => {
    const sums = [
      { currency: 'KWD', ways: ways({ paid: { count: 1, sum: '5.000' } }) },
      { currency: 'USD', ways: ways({ paid: { count: 1, sum: '7.000' } }) },
    ];
    expect(section({ ...OLDER, sums, largest: [{ ...PAID, currency: 'USD' }], older: null })).toEqual([
      '1 older invoice was paid: 5.000 KWD. 1 older invoice was paid: 7.00 USD.',
      'Invoice 90431, 18 Nov: Paid · 120.00 USD',
      'Pages with a new number: 18 Nov · page 2, 3 Nov · page 5',
    ]);
  });

  it('names eight pages and counts the others', () => {
    const pages = Array.from({ length: 11 }, (_, index) => ({ day: `2026-11-${index + 10}`, revision: 2 }));
    const [line = '', more] = section({ ...OLDER, pages }).slice(-2);
    expect(line.match(/page 2/g)).toHaveLength(8);
    expect(more).toMatch(/3/);
  });

  it('is there when nothing else happened on the day', () => {
    expect(section(OLDER, { manifest: anEmptyManifest() })).toHaveLength(4);
  });

  it('is left out when nothing changed', () => {
    const { text } = renderReport(aReport({ older: null }));
    expect(text).not.toContain('Since the last report');
    expect(renderReport(aReport()).text).toBe(text);
  });

  it('is in Arabic', () => {
    const merchant = { language: 'ar' } as const;
    const [said] = section(OLDER, { merchant, manifest: aManifest() });
    expect(said).toMatch(/^دُفعت 9 فواتير أقدم: /);
    expect(said).toMatch(/\. قُبلت عملية استرداد أقدم واحدة: .*\. انتهت فاتورتان أقدم دون دفع: /);
    expect(said).toMatch(/\. فاتورة واحدة أُنشئت حتى /);
  });
});
