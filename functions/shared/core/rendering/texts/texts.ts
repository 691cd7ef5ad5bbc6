import type { AlertLine, Severity, Side } from '../../alerts/alert-state.ts';
import type { InvoiceState } from '../../figures.ts';
import type { ATTACHMENT_COLUMNS } from '../attachment-columns.ts';
import type { AttachmentFormat } from '../report-input.ts';
import type { RefundBasis } from '../changed-figures.ts';

/** The languages that mails are written in. */
export type Language = 'en' | 'ar';

/** What `balance` may find to differ, in the words of the catalogues. */
export const DIFFERENCES = [
  'unique invoice ids',
  'pages while they were read',
  'stats.total_invoice_count',
  'stats.invoice_paid',
  'stats.invoice_not_paid',
  'stats.invoice_cancelled',
  'invoices in no state of stats',
  'refund list, count',
  'refund list, amount',
] as const;

/** The measures of alert rules that have a text of their own; one that has none yet is named as rules name it. */
export const MEASURE_TEXTS = [
  'invoiceCount',
  'unpaidCount',
  'unpaidShare',
  'unpaidAmount',
  'cancelledCount',
  'cancelledShare',
  'refundCount',
  'refundTotal',
  'refundShare',
  'largestRefund',
  'expiringUnpaid',
  'reportAge',
] as const;

/** What stands on a side of a difference where no figure can. */
export const DIFFERENCE_WORDS = ['not found', 'kept changing', 'read three times'] as const;

/**
 * Every text of the mails in one language. Parameters are printed figures and isolated values; they are set in as
 * they are.
 */
export interface Texts {
  language: Language;
  direction: 'ltr' | 'rtl';
  /** Between the parts of a figure's name. */
  comma: string;
  /** From what was to what is, in the direction of reading. */
  arrow: string;
  unknown: string;

  preview: string;
  previewNote: string;
  correction: string;
  notBalanced: string;
  outcome: (paid: string, total: string) => string;
  nothingHappened: string;
  emptyDay: string;

  changes: {
    heading: string;
    figure: string;
    was: string;
    is: string;
    none: string;
    balance: string;
    balanced: string;
    unbalanced: string;
  };
  moreLines: (count: string) => string;

  invoices: string;
  state: string;
  states: Record<InvoiceState | 'total', string>;
  count: string;
  amount: string;

  refunds: string;
  refundBasis: Record<RefundBasis, string>;
  refundStatus: string;
  refundStatuses: { approved: string; pending: string; rejected: string; other: string };
  allRefunds: string;
  noRefunds: string;

  balance: {
    heading: string;
    balanced: string;
    unbalanced: string;
    difference: (what: string, service: string, rows: string) => string;
    pagesOfType: (invoiceType: string) => string;
    refund: (id: string) => string;
    differences: Record<(typeof DIFFERENCES)[number], string>;
    words: Record<(typeof DIFFERENCE_WORDS)[number], string>;
  };

  attachment: {
    heading: string;
    attached: (filename: string, rows: string) => string;
    formats: Record<AttachmentFormat, string>;
    tooBig: (format: string, rows: string, key: string) => string;
  };

  details: {
    heading: string;
    merchant: string;
    day: string;
    revision: string;
    pull: string;
    pulledAt: string;
    currency: string;
    manifest: string;
  };
  footer: string;

  alerts: {
    says: Record<AlertLine['says'], string>;
    severities: Record<Severity, string>;
    measures: Record<(typeof MEASURE_TEXTS)[number], string>;
    bound: Record<Side, (value: string) => string>;
    outOfBounds: (measure: string, value: string, bound: string) => string;
    backInBounds: (measure: string, value: string, bound: string) => string;
    moment: string;
    severity: string;
    since: string;
    until: string;
    lasted: string;
    details: { heading: string; merchant: string; day: string; checkedAt: string; check: string };
  };

  /** The heads of the attached CSV's columns. */
  columns: Record<(typeof ATTACHMENT_COLUMNS)[number]['name'], string>;
}
