import type { Figures } from '#domain/figures/figures.ts';
import type { PaidTwice } from '#domain/figures/paid-twice.ts';
import type { ChangedRows } from '#domain/revision/changed-rows.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { AttachmentFormat, MailedMerchant } from '../report/report-input.ts';

/** The attached files: all invoices of the day in each format. */
export interface AttachedInvoices {
  formats: readonly AttachmentFormat[];
  rows: number;
}

/** The input of a correction. A later run has the same. */
export interface CorrectionInput {
  merchant: MailedMerchant;
  manifest: Manifest;
  /** The figures of the mail that is corrected. */
  before: Figures;
  /** The rows that differ from that mail's revision. `null` when they cannot be compared. */
  rows: { invoices: ChangedRows; refunds: ChangedRows } | null;
  /** Paid invoices that may be one payment made twice. */
  paidTwice: PaidTwice;
  /** `null` when no file is attached. */
  attached: AttachedInvoices | null;
}
