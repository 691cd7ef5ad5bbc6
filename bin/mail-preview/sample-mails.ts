import { merchantDay } from '#records/storage/keys.ts';
import type { AlertLine } from '#records/ledger/alert-line.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { figuresOf } from '#records/revision/manifest.ts';
import { pagePayments } from '#records/figures/outcome-tally.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import { heldNotice } from '#page/send-page.ts';
import { renderOpsNotice } from '#mail/notices/render-ops-notice.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { Language } from '#mail/texts/texts.ts';
import {
  correctedStatement,
  provisionalStatement,
  statementOfMonth,
  statementOfWeek,
  groupOfCurrencies,
  groupPage,
} from './sample-statement.ts';
import { DAY, SEALED, changedRows, highlights, history, merchant, olderChanges } from './sample-day.ts';

const ATTACHED = [
  { kind: 'attached', format: 'csv', rows: 428 },
  { kind: 'attached', format: 'xlsx', rows: 428 },
] as const;

function report(language: Language, changes: Partial<ReportInput> = {}): RenderedMail {
  return renderReport({
    merchant: merchant(language),
    manifest: SEALED,
    history: history(),
    preview: false,
    highlights: highlights(language),
    paidTwice: { count: 0, first: [] },
    isReadAgain: true,
    attachments: ATTACHED,
    ...changes,
  });
}

function correction(language: Language): RenderedMail {
  const { received, refunds } = SEALED;
  const earlier: Manifest = {
    ...SEALED,
    counts: { ...SEALED.counts, paid: 289, notPaid: 108 },
    amounts: { paid: '9402.250', notPaid: '3850.750', cancelled: '612.000', other: '0.000' },
    received: received && { ...received, count: 298, sum: '9534.750' },
    refunds: {
      ...refunds,
      count: 11,
      total: '124.250',
      byStatus: { ...refunds.byStatus, approved: { count: 9, total: '113.250' } },
    },
  };
  return renderCorrection({
    merchant: merchant(language),
    manifest: { ...SEALED, revision: 2, pull: '20261122T030006Z-51b0c7de' },
    before: figuresOf(earlier),
    earlier,
    rows: changedRows(),
    paidTwice: { count: 0, first: [] },
    attachments: ATTACHED,
  });
}

function empty(language: Language): RenderedMail {
  const nothing = { count: 0, total: '0.000', byStatus: {} };
  const other = { count: 0, amount: '0.000' };
  return report(language, {
    manifest: {
      ...SEALED,
      ...pagePayments({ day: DAY, outcomes: { paid: [], cancelled: [], open: [], other, seen: [] } }),
      counts: { total: 0, paid: 0, notPaid: 0, cancelled: 0, other: 0 },
      amounts: { paid: '0.000', notPaid: '0.000', cancelled: '0.000', other: '0.000' },
      refunds: { ...nothing, saleBasis: nothing },
    },
    highlights: null,
    attachments: [],
  });
}

function unbalanced(language: Language): RenderedMail {
  return report(language, {
    manifest: {
      ...SEALED,
      balanced: false,
      counts: { ...SEALED.counts, paid: 302, cancelled: null, other: null },
      differences: [
        { what: 'stats.invoice_paid', service: 302, rows: 301 },
        { what: 'stats.invoice_cancelled', service: null, rows: 31 },
        { what: 'pages while they were read', service: 'kept changing', rows: 'read three times' },
        { what: 'refund 1400', service: 'not found', rows: null },
      ],
    },
    attachments: [{ kind: 'too-big', format: 'xlsx', rows: 90_412 }],
  });
}

const FIRING: AlertLine = {
  rule: 'too-many-unpaid',
  says: 'firing',
  severity: 'critical',
  measure: 'unpaidCount',
  unit: 'count',
  value: '16.000',
  bound: { side: 'above', at: '10.000' },
  since: '2026-11-20T10:30:00.000Z',
  until: null,
  day: DAY,
  days: null,
  course: { began: '16.000', worst: '16.000' },
  title: null,
  note: null,
  items: [
    { id: '1096112', reference: 'INV-20481', amount: '145.000', expiresOn: '2026-11-22' },
    { id: '1096140', reference: null, amount: '98.750', expiresOn: '2026-11-22' },
    { id: '1096171', reference: 'INV-20488', amount: '62.500', expiresOn: '2026-11-25' },
    { id: '1096183', reference: 'INV-20490', amount: '40.000', expiresOn: '2026-11-25' },
    { id: '1096190', reference: 'INV-20493', amount: '12.250', expiresOn: '2026-12-01' },
  ],
};

const REFUNDS_HIGH: AlertLine = {
  ...FIRING,
  rule: 'refunds-high',
  says: 'still firing',
  severity: 'warning',
  measure: 'refundTotal',
  unit: 'amount',
  value: '1143.500',
  bound: { side: 'above', at: '500.000' },
  since: '2026-11-20T07:15:00.000Z',
  course: { began: '512.000', worst: '1143.500' },
  items: [
    { id: '1402', reference: 'ORD-7781', amount: '650.000', expiresOn: null },
    { id: '1400', reference: 'ORD-7702', amount: '250.500', expiresOn: null },
    { id: '1397', reference: 'ORD-7690', amount: '243.000', expiresOn: null },
  ],
};

/** The merchant's own words for the rule. */
const WORDS = {
  en: { title: 'Call the customers who have not paid', note: 'Fatima has the list of phone numbers.' },
  ar: { title: 'اتصل بالعملاء الذين لم يدفعوا', note: 'قائمة الأرقام عند فاطمة.' },
} as const;

const FEW_INVOICES: AlertLine = {
  ...FIRING,
  rule: 'few-invoices',
  says: 'resolved',
  severity: 'info',
  measure: 'invoiceCount',
  value: '24.000',
  bound: { side: 'below', at: '20.000' },
  since: '2026-11-20T09:00:00.000Z',
  until: '2026-11-20T10:30:00.000Z',
  course: { began: '11.000', worst: '11.000' },
  items: [],
};

const RESOLVED: AlertLine = {
  ...FIRING,
  says: 'resolved',
  value: '8.000',
  until: '2026-11-20T14:45:00.000Z',
  course: { began: '16.000', worst: '24.000' },
  items: [],
};

function alert(language: Language, lines: readonly AlertLine[]): RenderedMail {
  const checkedAt = lines.at(-1)?.until ?? '2026-11-20T10:30:00.000Z';
  return renderAlert({
    merchant: merchant(language),
    day: DAY,
    checkedAt,
    replyTo: 'help@example.com',
    lines,
  });
}

function notice(): RenderedMail {
  const runbook = 'https://wiki.example.com/daybook/runbook';
  const place = { stage: 'prod', bucket: 'daybook-data-of-prod', runbook };
  return renderOpsNotice(
    { about: 'sample', ...heldNotice({ ...merchantDay(SEALED.merchantCode, SEALED.day), revision: 1 }, 2) },
    place,
  );
}

/** An invented mail of each kind, in each language that it is written in. The same every time. */
export const SAMPLE_MAILS = {
  report,
  'report-with-charges': (language: Language) =>
    report(language, { merchant: { ...merchant(language), charges: CHARGE_COLUMNS } }),
  'report-with-older-days': (language: Language) => report(language, { older: olderChanges() }),
  correction,
  empty,
  unbalanced,
  statement: statementOfMonth,
  'statement-week': statementOfWeek,
  'statement-provisional': provisionalStatement,
  'statement-correction': correctedStatement,
  group: groupPage,
  'group-currencies': groupOfCurrencies,
  'alert-firing': (language: Language) => alert(language, [FIRING]),
  'alert-still': (language: Language) => alert(language, [{ ...REFUNDS_HIGH, ...WORDS[language] }]),
  'alert-several': (language: Language) =>
    alert(language, [{ ...FIRING, ...WORDS[language] }, REFUNDS_HIGH, FEW_INVOICES]),
  'alert-resolved': (language: Language) => alert(language, [RESOLVED]),
  ops: notice,
} as const;
