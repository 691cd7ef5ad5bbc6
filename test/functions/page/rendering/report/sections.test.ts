import type { InvoiceHighlights, UnpaidInvoice } from '#records/figures/invoice-highlights.ts';
import { inCell } from '#mail/formatters/outside-text.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { LargestChange, OlderChanges, Way } from '#page/rendering/report/older-section.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { aCorrection, aManifest, aReport, anEmptyManifest } from '#support/rendering/reports.ts';
import { defined, fc, forAll } from '#support/assertions/index.ts';

function unpaid(id: number, expiresAt: string | null = '2026-12-24'): UnpaidInvoice {
  const url = `https://pay.example/${id}`;
  return { id: String(id), reference: `R-${id}`, customer: null, amount: `${id}.000`, expiresAt, url };
}

function highlightsOf(
  largestUnpaid: UnpaidInvoice[],
  expiringSoon: UnpaidInvoice[],
  all = largestUnpaid.length,
): InvoiceHighlights {
  const paid = { paid: 0, cancelled: 0, other: 0 };
  return {
    largestUnpaid,
    expiringSoon,
    expiringSoonCount: expiringSoon.length,
    byType: [{ type: '1', count: all, amount: '0.000', notPaid: all, ...paid }],
  };
}

/** The lines of the section, `undefined` when there is none. */
function toDo(
  highlights: InvoiceHighlights | null,
  language: 'en' | 'ar' = 'en',
  more: Parameters<typeof aReport>[0] = {},
): string[] | undefined {
  const text = inCell(renderReport(aReport({ ...more, highlights, merchant: { language } })).text);
  return /(?:To do|المطلوب منك)\n-+\n((?: .*\n)*)/
    .exec(text)?.[1]
    ?.trimEnd()
    .split('\n')
    .map((line) => line.trim());
}

const idsIn = (lines: string[] | undefined) =>
  (lines ?? []).flatMap((line) => /^R-(\d+): /.exec(line)?.[1] ?? []).map(Number);

describe('what to do', () => {
  it('is to collect what expires soon and what is large, each with amount, expiry and payment link', () => {
    const soon = unpaid(3, '2026-11-22');
    expect(toDo(highlightsOf([unpaid(9, null), unpaid(8), soon], [soon], 40))).toEqual([
      '40 invoices are unpaid. 1 expires within three days.',
      'R-3: 3.000 KWD',
      'Invoice 3, expires 22 Nov',
      'Payment link: https://pay.example/3',
      'R-9: 9.000 KWD',
      'Invoice 9',
      'Payment link: https://pay.example/9',
      'R-8: 8.000 KWD',
      'Invoice 8, expires 24 Dec',
      'Payment link: https://pay.example/8',
    ]);
  });

  const sum = { count: 1, total: '5.000' };
  const without = { ...sum, byStatus: { approved: sum }, ids: ['1400'] };
  const { drift } = aManifest();
  const questions = {
    paidTwice: { count: 3, first: [{ ids: ['70000318', '70000319'] as const, amount: '12.500' }] },
    manifest: aManifest({ drift: { ...drift, refundsWithoutDay: without } }),
  };

  it('is to ask about invoices that may have been paid twice, and about refunds without a usable date', () => {
    const asked = [
      'Invoices 70000318 and 70000319 may be one sale that was paid twice: same reference, same customer, 12.500 KWD each.',
      'and 2 more',
      '1 refund has no usable date, so it is in no figure: Approved 1 (5.000 KWD). Ask your provider about refund 1400.',
    ];
    expect(toDo(null, 'en', questions)).toEqual(asked);
    expect(toDo(highlightsOf([], [], 0), 'en', questions)).toEqual(asked);
    expect(toDo(highlightsOf([unpaid(9, null)], []), 'en', questions)?.slice(0, 3)).toEqual(asked);
    expect(toDo(null, 'ar', questions)?.join(' ')).toMatch(/70000318 و70000319 .*12\.500.*1400/);
  });

  it('is in a correction, too', () => {
    const { paidTwice } = questions;
    expect(renderCorrection(aCorrection({ paidTwice })).text).toContain(
      'may be one sale that was paid twice',
    );
    expect(renderCorrection(aCorrection()).text).not.toContain('To do');
  });

  it('leaves a net unknown when an approved refund has no usable date', () => {
    const { text } = renderReport(aReport(questions));
    expect(text).toContain('Came in less refunds: unknown');
    expect(text).toContain('whether it is approved and what its date is');
  });

  it('counts invoices whose link has ended apart from unpaid ones', () => {
    const open = [
      { lastDay: '2026-11-20', count: 4, amount: '4.000' },
      { lastDay: null, count: 36, amount: '36.000' },
    ];
    const outcomes = { ...defined(aManifest().outcomes), open };
    const manifest = aManifest({ outcomes });
    const lines = toDo(highlightsOf([unpaid(9)], [], 40), 'en', { manifest });
    expect(lines?.[0]).toBe('36 invoices are unpaid. 4 invoices have expired.');
    // What stands beside the subject.
    expect(renderReport(aReport({ manifest })).html).toContain('Unpaid: 36 (36.000\u00A0KWD)');
  });

  it('says that an invoice has expired', () => {
    expect(toDo(highlightsOf([unpaid(9, '2026-11-20')], []))).toContain('Invoice 9, expired 20 Nov');
    expect(toDo(highlightsOf([unpaid(9, '2026-11-21')], []))).toContain('Invoice 9, expires 21 Nov');
  });

  it('is nothing when no invoice is unpaid', () => {
    expect(toDo(highlightsOf([], []))).toEqual(['Nothing: no invoice is unpaid.']);
  });

  it('is not said when it is not known which invoices are unpaid', () => {
    expect(toDo({ ...highlightsOf([], []), expiringSoonCount: null })).toBeUndefined();
    expect(toDo(null)).toBeUndefined();
  });

  it('is said in Arabic', () => {
    expect(toDo(highlightsOf([unpaid(9)], [unpaid(9, '2026-11-22')], 13), 'ar')).toEqual([
      '13 فاتورة غير مدفوعة. تنتهي صلاحية واحدة خلال ثلاثة أيام.',
      'R-9: 9.000 د.ك',
      'الفاتورة 9، تنتهي في 22 نوفمبر',
      'رابط الدفع: https://pay.example/9',
    ]);
  });

  it('names no invoice twice, gives both kinds a place, and counts the others', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 5 });
    forAll([ids, ids, fc.nat(50)], (large, soon, others) => {
      fc.pre(large.length + soon.length > 0);
      const known = new Set([...large, ...soon]);
      const highlights = highlightsOf(
        (large.length === 0 ? soon : large).map((id) => unpaid(id)),
        soon.map((id) => unpaid(id, '2026-11-22')),
        known.size + others,
      );
      const lines = toDo(highlights);
      const shown = idsIn(lines);
      expect(shown).toEqual([...new Set(shown)]);
      expect(shown).toHaveLength(Math.min(3, known.size));
      expect(shown.slice(0, 2)).toEqual(expect.arrayContaining(soon.slice(0, 2)));
      const largest = large.find((id) => !soon.slice(0, 2).includes(id));
      if (largest !== undefined) expect(shown).toContain(largest);
      expect(lines?.[0]).toMatch(new RegExp(`^${known.size + others} invoices? (?:is|are) unpaid\\.`));
    });
  });
});

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

  it('is in Arabic, too', () => {
    const merchant = { language: 'ar' } as const;
    const [said] = section(OLDER, { merchant, manifest: aManifest() });
    expect(said).toMatch(/^دُفعت 9 فواتير أقدم: /);
    expect(said).toMatch(/\. قُبلت عملية استرداد أقدم واحدة: .*\. انتهت فاتورتان أقدم دون دفع: /);
    expect(said).toMatch(/\. فاتورة واحدة أُنشئت حتى /);
  });
});
