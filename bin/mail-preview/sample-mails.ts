import { addDays } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
import type { AlertLine } from '#records/ledger/alert-line.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import type { InvoiceHighlights } from '#records/figures/invoice-highlights.ts';
import type { ChangedRow } from '#records/revision/changed-rows.ts';
import { figuresOf } from '#records/revision/manifest.ts';
import { merchantDay } from '#records/storage/keys.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import { heldNotice } from '#page/send-page.ts';
import type { GroupPage } from '#page/figures/group-page.ts';
import { renderCorrection } from '#page/rendering/correction/render-correction.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import type { PageAttachment } from '#page/rendering/mail-parts.ts';
import type { ReportInput } from '#page/rendering/report/headline.ts';
import type { OlderChanges } from '#page/rendering/report/older-section.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import type { StatementInput } from '#page/rendering/statement/render-statement.ts';
import { renderStatementCorrection } from '#page/rendering/statement/render-statement-correction.ts';
import { renderOpsNotice } from '#mail/notices/render-ops-notice.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';
import type { Language } from '#mail/texts/texts.ts';
import {
  DAY,
  NO_OUTCOMES,
  SEALED,
  fils,
  history,
  pageOf,
  sampleGroup,
  samplePage,
  sampleStatement,
} from './sample-pages.ts';

/** Text that a merchant and its customers would write, in the merchant's language. */
const NAMES: Record<Language, { merchant: string; customers: readonly string[] }> = {
  en: {
    merchant: 'Kuwait Coffee Roasters',
    customers: ['Mariam Al-Sabah', 'Gulf Trading & Contracting Co.', 'مطعم البحر', 'Yousef K.'],
  },
  ar: {
    merchant: 'محمصة الكويت للقهوة (Kuwait Coffee)',
    customers: ['مريم الصباح', 'شركة الخليج للتجارة والمقاولات', 'Dana Events', 'يوسف ك.'],
  },
};

function merchant(language: Language): MailedMerchant {
  const { merchant: name } = NAMES[language];
  return { merchantCode: '700001', name, timeZone: 'Asia/Kuwait', currency: 'KWD', language };
}

function attached(rows: number, ...formats: ('csv' | 'pdf' | 'xlsx')[]): PageAttachment[] {
  return formats.map((format) => ({ kind: 'attached', format, rows }));
}

const TOO_BIG: readonly PageAttachment[] = [{ kind: 'too-big', format: 'xlsx', rows: 90_412 }];

function highlights(language: Language): InvoiceHighlights {
  const unpaid = (index: number, amount: string, expiresAt: string | null) => ({
    id: String(70_000_318 + index * 37),
    reference: `R-${2_100 + index}`,
    customer: NAMES[language].customers[index] ?? null,
    amount,
    expiresAt,
    url: index === 3 ? null : `https://pay.example.com/i/${8_412_000 + index}`,
  });
  const soon = unpaid(1, '480.500', '2026-11-22');
  const counts = { paid: 248, notPaid: 78, cancelled: 24, other: 0 };
  return {
    largestUnpaid: [
      unpaid(0, '1250.000', '2026-12-04'),
      soon,
      unpaid(2, '175.250', '2026-11-30'),
      unpaid(3, '96.000', null),
    ],
    expiringSoon: [soon, unpaid(4, '12.500', '2026-11-23')],
    expiringSoonCount: 2,
    byType: [
      { type: '1', count: 350, ...counts, amount: '11020.000' },
      { type: '0', count: 78, ...counts, notPaid: 18, amount: '2845.000' },
    ],
  };
}

function paidLater(id: number, amount: string): ChangedRow {
  return { id: String(id), was: { state: 'notPaid', amount }, is: { state: 'paid', amount } };
}

function olderChanges(): OlderChanges {
  const none = { count: 0, sum: '0.000' };
  const invoice = (day: Day, id: number, amount: string) => {
    return { ...paidLater(id, amount), table: 'invoices', day, currency: 'KWD' } as const;
  };
  const [yesterday, weekBefore] = [addDays(DAY, -1), addDays(DAY, -9)];
  return {
    pages: [
      { day: yesterday, revision: 2 },
      { day: weekBefore, revision: 2 },
    ],
    sums: [
      {
        currency: 'KWD',
        ways: {
          paid: { count: 21, sum: '544.000' },
          cancelled: { count: 2, sum: '18.500' },
          approved: { count: 1, sum: '12.000' },
          rejected: none,
          other: none,
        },
      },
    ],
    largest: [
      invoice(yesterday, 70_000_118, '145.000'),
      invoice(weekBefore, 69_990_377, '96.250'),
      invoice(yesterday, 70_000_091, '60.000'),
      {
        ...invoice(yesterday, 61_021, '12.000'),
        table: 'refunds',
        was: { state: 'pending', amount: '12.000' },
        is: { state: 'approved', amount: '12.000' },
      },
    ],
    older: { expired: { count: 4, sum: '120.250' }, leaving: { ...none, until: addDays(DAY, -90) } },
  };
}

function report(language: Language, changes: Partial<ReportInput> = {}): RenderedMail {
  return renderReport({
    merchant: merchant(language),
    manifest: SEALED,
    history: history(),
    preview: false,
    highlights: highlights(language),
    paidTwice: { count: 0, first: [] },
    isReadAgain: true,
    attachments: attached(428, 'csv', 'xlsx'),
    ...changes,
  });
}

/** Twelve invoices were paid after the report, and a refund was added. */
function correction(language: Language): RenderedMail {
  const earlier = samplePage(DAY);
  const invoices = Array.from({ length: 10 }, (_, index) =>
    paidLater(70_000_133 + index * 37, fils(120_000 - index * 11_250)),
  );
  const refund = { id: '61044', was: null, is: { state: 'approved', amount: '13.250' } };
  return renderCorrection({
    merchant: merchant(language),
    manifest: { ...samplePage(DAY, 12), revision: 2, pull: '20261122T030006Z-51b0c7de' },
    before: figuresOf(earlier),
    earlier,
    rows: { invoices: { count: 12, first: invoices }, refunds: { count: 1, first: [refund] } },
    paidTwice: { count: 0, first: [] },
    attachments: attached(428, 'csv', 'xlsx'),
  });
}

function empty(language: Language): RenderedMail {
  const nothing = { count: 0, total: '0.000', byStatus: {} };
  return report(language, {
    manifest: pageOf(DAY, NO_OUTCOMES, NO_OUTCOMES, {
      refunds: { ...nothing, saleBasis: nothing },
      breakdown: null,
    }),
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
    attachments: TOO_BIG,
  });
}

function statement(
  language: Language,
  ...[period, gaps]: Parameters<typeof sampleStatement>
): StatementInput {
  return {
    merchant: merchant(language),
    statement: sampleStatement(period, gaps),
    preview: false,
    attachments: attached(7, 'pdf', 'xlsx'),
  };
}

/** A week of a merchant that bears no charges. */
function statementOfWeek(language: Language): RenderedMail {
  const input = statement(language, '2026-W49');
  return renderStatement({ ...input, statement: { ...input.statement, lastYear: null } });
}

function provisionalStatement(language: Language): RenderedMail {
  const missing = ['2026-11-14', '2026-11-22', '2026-11-23'];
  const input = statement(language, '2026-11', { missing, unbalanced: ['2026-11-20'] });
  return renderStatement({ ...input, attachments: TOO_BIG });
}

/** The mail that follows a provisional statement when its days have arrived. */
function correctedStatement(language: Language): RenderedMail {
  return renderStatementCorrection({
    ...statement(language, '2026-11', { again: ['2026-11-18', '2026-11-20'], revision: 2 }),
    before: sampleStatement('2026-11', { missing: ['2026-11-23'], unbalanced: ['2026-11-20'] }),
  });
}

function group(language: Language, page: GroupPage, attachments = attached(10, 'xlsx')): RenderedMail {
  const named = { name: 'north-stores', language, timeZone: 'Asia/Kuwait' };
  return renderGroup({ group: named, page, before: null, preview: false, attachments });
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

const RESOLVED: AlertLine = {
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
  statement: (language: Language) =>
    renderStatement(statement(language, '2026-11', { charges: CHARGE_COLUMNS })),
  'statement-week': statementOfWeek,
  'statement-provisional': provisionalStatement,
  'statement-correction': correctedStatement,
  group: (language: Language) => group(language, sampleGroup(['KWD'])),
  'group-currencies': (language: Language) =>
    group(language, { ...sampleGroup(['KWD', 'SAR']), missing: [], corrections: [] }, []),
  'alert-firing': (language: Language) => alert(language, [FIRING]),
  'alert-still': (language: Language) => alert(language, [{ ...REFUNDS_HIGH, ...WORDS[language] }]),
  'alert-several': (language: Language) =>
    alert(language, [{ ...FIRING, ...WORDS[language] }, REFUNDS_HIGH, RESOLVED]),
  'alert-resolved': (language: Language) => alert(language, [RESOLVED]),
  ops: notice,
} as const;
