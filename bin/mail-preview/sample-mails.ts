import type { AlertLine } from '#domain/alerts/alert-state.ts';
import { figuresOf } from '#domain/revision/manifest.ts';
import { renderAlert } from '#rendering/alert/render-alert.ts';
import { heldNotice } from '#functions/daily-report/mail/pending-mail-notice.ts';
import { renderOpsNotice } from '#rendering/ops-notice.ts';
import type { RenderedMail } from '#rendering/page/mail-page.ts';
import type { ReportInput } from '#rendering/report/report-input.ts';
import { renderReport } from '#rendering/report/render-report.ts';
import type { Language } from '#rendering/texts/texts.ts';
import { DAY, SEALED, highlights, history, merchant } from './sample-day.ts';

function report(language: Language, changes: Partial<ReportInput> = {}): RenderedMail {
  return renderReport({
    merchant: merchant(language),
    manifest: SEALED,
    history: history(),
    before: null,
    preview: false,
    highlights: highlights(language),
    attachments: [
      { kind: 'attached', format: 'csv', filename: `invoices-700001-${DAY}-r1.csv`, rows: 428 },
      { kind: 'attached', format: 'xlsx', filename: `invoices-700001-${DAY}-r1.xlsx`, rows: 428 },
    ],
    ...changes,
  });
}

function correction(language: Language): RenderedMail {
  const figures = figuresOf(SEALED);
  return report(language, {
    manifest: { ...SEALED, revision: 2, pull: '20261122T030006Z-51b0c7de' },
    before: {
      ...figures,
      counts: { ...figures.counts, paid: 289, notPaid: 108 },
      amounts: { paid: '9402.750', notPaid: '3850.250', cancelled: '612.000', other: '0.000' },
    },
  });
}

function empty(language: Language): RenderedMail {
  const nothing = { count: 0, total: '0.000', byStatus: {} };
  return report(language, {
    manifest: {
      ...SEALED,
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
      counts: { ...SEALED.counts, cancelled: null, other: null },
      amounts: null,
      differences: [
        { what: 'stats.invoice_paid', service: 302, rows: 301 },
        { what: 'stats.invoice_cancelled', service: null, rows: 31 },
        { what: 'pages while they were read', service: 'kept changing', rows: 'read three times' },
        { what: 'refund 1400', service: 'not found', rows: null },
      ],
    },
    attachments: [
      {
        kind: 'too-big',
        format: 'xlsx',
        rows: 90_412,
        key: `invoices/csv/day=${DAY}/merchant=700001/20261121T030005Z-9f2c61aa.csv.gz`,
      },
    ],
  });
}

const FIRING: AlertLine = {
  rule: 'too-many-unpaid',
  says: 'firing',
  severity: 'critical',
  measure: 'unpaidCount',
  unit: 'count',
  value: '96.000',
  bound: { side: 'above', at: '50.000' },
  since: '2026-11-20T10:30:00.000Z',
  until: null,
};

function alert(language: Language, lines: readonly AlertLine[]): RenderedMail {
  const checkedAt = '2026-11-20T10:30:00.000Z';
  return renderAlert({
    merchant: merchant(language),
    day: DAY,
    check: '20261120T103000Z-9f2c61aa',
    checkedAt,
    lines,
  });
}

function alertFiring(language: Language): RenderedMail {
  const stillFiring: AlertLine = {
    ...FIRING,
    rule: 'refunds-high',
    says: 'still firing',
    severity: 'warning',
    measure: 'refundTotal',
    unit: 'amount',
    value: '1143.500',
    bound: { side: 'above', at: '500.000' },
    since: '2026-11-19T07:15:00.000Z',
  };
  return alert(language, [FIRING, stillFiring]);
}

function alertResolved(language: Language): RenderedMail {
  return alert(language, [
    { ...FIRING, says: 'resolved', value: '38.000', until: '2026-11-20T14:45:00.000Z' },
  ]);
}

function notice(): RenderedMail {
  const place = {
    stage: 'prod',
    bucket: 'daybook-prod-data',
    runbook: 'https://wiki.example.com/daybook/runbook',
  };
  return renderOpsNotice({ about: 'sample', ...heldNotice(SEALED, 1, 2) }, place);
}

/** An invented mail of each kind, in each language that it is written in. The same every time. */
export const SAMPLE_MAILS = {
  report,
  correction,
  empty,
  unbalanced,
  'alert-firing': alertFiring,
  'alert-resolved': alertResolved,
  ops: notice,
} as const;
