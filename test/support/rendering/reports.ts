import { INVOICE_STATES, type Figures } from '#records/figures/figure-schemas.ts';
import { figuresOf, type Manifest } from '#records/revision/manifest.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';
import type { PageAttachment } from '#page/rendering/mail-parts.ts';
import type { ChangedRow } from '#records/revision/changed-rows.ts';
import type { CorrectionInput } from '#page/rendering/correction/render-correction.ts';
import { paymentsOf } from '../records/records.ts';
import { EMPTY_FIGURES, sealedManifest } from '../records/manifests.ts';

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

/** What a day with these figures says of payments: all on the day itself. Nothing, where one is not known. */
function paymentsOfDay(sealed: Manifest) {
  const { counts, amounts, breakdown } = sealed;
  const isKnown = !INVOICE_STATES.some((state) => counts[state] === null);
  return paymentsOf({
    ...sealed,
    amounts: isKnown ? amounts : null,
    breakdown: {
      byType: [],
      byMethod: breakdown?.byMethod ?? [
        { method: 'KNET', count: counts.paid ?? 0, amount: amounts?.paid ?? '0.000' },
      ],
      charges: breakdown?.charges ?? [
        { column: 'admin_charge', total: '400.125' },
        { column: 'service_charge', total: '27.000' },
      ],
    },
  });
}

/** A sealed day with a bit of everything. */
export function aManifest(changes: Partial<Manifest> = {}): Manifest {
  const sealed = sealedManifest();
  const {
    day = sealed.day,
    counts = { total: 1428, paid: 1301, notPaid: 96, cancelled: 31, other: 0 },
    amounts = { paid: '1234567.500', notPaid: '4210.250', cancelled: '31.000', other: '0.000' },
  } = changes;
  return {
    ...sealed,
    ...paymentsOfDay({ ...sealed, day, counts, amounts, breakdown: changes.breakdown ?? null }),
    counts,
    amounts,
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
    files: sealed.files.map((file) => ({ ...file, rows: 428 })),
    ...changes,
  };
}

export const NO_AMOUNTS = { paid: '0.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' };

export function anEmptyManifest(): Manifest {
  const { counts, refunds } = EMPTY_FIGURES;
  return aManifest({ counts, amounts: NO_AMOUNTS, refunds });
}

/** The figures of {@link aManifest} as they may have been a day before. */
export function earlierFigures(): Figures {
  const figures = figuresOf(aManifest());
  const approved = { count: 11, total: '140.500' };
  return {
    ...figures,
    counts: { ...figures.counts, paid: 1300, notPaid: null },
    amounts: { paid: '1234000.000', notPaid: '4210.250', cancelled: '31.000', other: '0.000' },
    received: { count: 1300, sum: '1234000.000' },
    refunds: { ...figures.refunds, ...approved, byStatus: { approved } },
    balanced: false,
  };
}

/** Changes of what a mail is rendered from: of its members, and of those of its merchant. */
export type Changes<Input extends { merchant: object }> = Partial<Omit<Input, 'merchant'>> & {
  merchant?: Partial<Input['merchant']>;
};

export const MERCHANT = {
  merchantCode: '700001',
  name: 'Kuwait Coffee',
  timeZone: 'Asia/Kuwait',
  currency: 'KWD',
  language: 'en',
} as const;

/** What a report of {@link aManifest} is rendered from. */
export function aReport(changes: Changes<ReportInput> = {}): ReportInput {
  return {
    manifest: aManifest(),
    preview: false,
    history: [],
    highlights: null,
    paidTwice: { count: 0, first: [] },
    isReadAgain: true,
    attachments: [],
    ...changes,
    merchant: { ...MERCHANT, ...changes.merchant },
  };
}

/** An invoice that changed: unpaid before, paid now, unless other states are given. */
export function aChangedInvoice(id: string, changes: Partial<ChangedRow> = {}): ChangedRow {
  return {
    id,
    was: { state: 'notPaid', amount: '37.500' },
    is: { state: 'paid', amount: '37.500' },
    ...changes,
  };
}

export function aNewRefund(id: string, changes: Partial<ChangedRow> = {}): ChangedRow {
  return { id, was: null, is: { state: 'pending', amount: '3.000' }, ...changes };
}

/** Files of a page that are attached. */
export function attachedFiles(rows: number, ...formats: ('csv' | 'xlsx' | 'pdf')[]): PageAttachment[] {
  return formats.map((format) => ({ kind: 'attached', format, rows }));
}

/** What a correction of {@link earlierFigures} is rendered from. */
export function aCorrection(changes: Changes<CorrectionInput> = {}): CorrectionInput {
  return {
    manifest: aManifest({ revision: 2 }),
    before: earlierFigures(),
    earlier: null,
    rows: {
      invoices: { count: 1, first: [aChangedInvoice('70000318')] },
      refunds: { count: 1, first: [aNewRefund('1400')] },
    },
    paidTwice: { count: 0, first: [] },
    attachments: attachedFiles(1_428, 'csv'),
    ...changes,
    merchant: { ...MERCHANT, ...changes.merchant },
  };
}
