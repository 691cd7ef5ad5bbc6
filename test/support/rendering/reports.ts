import type { Figures } from '#records/figures/figure-schemas.ts';
import { figuresOf } from '#records/revision/manifest.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';

/** Names that have broken mails, pages and spreadsheets before. */
export const HOSTILE_NAMES = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'Cafe\r\nBcc: everyone@example.com\r\n\r\n<h1>new body</h1>',
  'line\nfeed\u0085next\u2028separator\u2029paragraph\u0000nul\u000bvt',
  '\u202Etxt.exe\u202C \u2066isolate\u2069 \u200Fmark \u2068first strong',
  '=HYPERLINK("https://example.com","click")',
  '٪ مطعم الشرق & Sons — “quoted” 🍕👩‍👩‍👧‍👦🇰🇼',
  '\uD83C lone surrogates \uDF55',
  'a'.repeat(500),
  '🍕'.repeat(250),
  `Z${'\u0335\u0489'.repeat(249)}`,
  '&lt;b&gt; already &amp; escaped ${name} {{name}} %s',
  '=?utf-8?B?QmNjOiB4QGV4YW1wbGUuY29t?=',
  '   ',
  '\u202E\u2066\u2069',
  '__proto__',
];

const FILE = { key: 'k', rows: 428, bytes: 51_234, sha256: 'ab' };

/** A sealed day with a bit of everything. */
export function aManifest(changes: Partial<Manifest> = {}): Manifest {
  return {
    merchantCode: '700001',
    day: '2026-11-20',
    merchantId: '1084',
    revision: 1,
    pull: '20261121T030005Z-9f2c61aa',
    pulledAt: '2026-11-21T03:00:07.480Z',
    scheduledTime: null,
    balanced: true,
    differences: [],
    notCompared: [],
    counts: { total: 1428, paid: 1301, notPaid: 96, cancelled: 31, other: 0 },
    amounts: { paid: '1234567.500', notPaid: '4210.250', cancelled: '31.000', other: '0.000' },
    refunds: {
      count: 12,
      total: '143.500',
      byStatus: {
        approved: { count: 11, total: '140.500' },
        pending: { count: 1, total: '3.000' },
        'held-back': { count: 0, total: '0.000' },
      },
      saleBasis: { count: 2, total: '-1.500', byStatus: { approved: { count: 2, total: '-1.500' } } },
    },
    breakdown: null,
    missingRefundIds: [],
    digest: 'd1',
    drift: {
      unknownFields: { invoices: [], refunds: [] },
      renamedFields: { invoices: {}, refunds: {} },
      unknownInvoiceStatuses: {},
      unknownRefundStatuses: {},
      otherDays: { count: 0, ids: [] },
      refundsWithoutDay: { count: 0, total: '0.000', byStatus: {}, ids: [] },
      repeatedFields: { invoices: {}, refunds: {} },
      misfits: { invoices: [], refunds: [], invoiceList: [], refundList: [] },
      notListed: { invoices: 0, refunds: 0, invoiceStatuses: 0, refundStatuses: 0 },
    },
    history: [],
    previous: null,
    files: [
      { table: 'invoices', format: 'json', ...FILE },
      { table: 'invoices', format: 'csv', ...FILE },
      { table: 'refunds', format: 'json', ...FILE },
      { table: 'refunds', format: 'csv', ...FILE },
    ],
    ...changes,
  };
}

/** A day on which nothing happened. */
export function anEmptyManifest(): Manifest {
  return aManifest({
    counts: { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 },
    amounts: { paid: '0.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' },
    refunds: {
      count: 0,
      total: '0.000',
      byStatus: {},
      saleBasis: { count: 0, total: '0.000', byStatus: {} },
    },
  });
}

/** The figures of {@link aManifest} as they may have been a day before. */
export function earlierFigures(): Figures {
  const figures = figuresOf(aManifest());
  return {
    ...figures,
    counts: { ...figures.counts, paid: 1300, notPaid: null },
    amounts: { paid: '1234000.000', notPaid: '4210.250', cancelled: '31.000', other: '0.000' },
    refunds: {
      ...figures.refunds,
      count: 11,
      total: '140.500',
      byStatus: { approved: { count: 11, total: '140.500' } },
    },
    balanced: false,
  };
}

/** What a report of {@link aManifest} is rendered from. */
export function aReport(
  changes: Partial<Omit<ReportInput, 'merchant'>> & { merchant?: Partial<ReportInput['merchant']> } = {},
): ReportInput {
  return {
    manifest: aManifest(),
    preview: false,
    history: [],
    highlights: null,
    paidTwice: { count: 0, first: [] },
    charges: { kind: 'none' },
    isReadAgain: true,
    attachments: [],
    ...changes,
    merchant: {
      merchantCode: '700001',
      name: 'Kuwait Coffee',
      timeZone: 'Asia/Kuwait',
      currency: 'KWD',
      language: 'en',
      ...changes.merchant,
    },
  };
}
