import type { Figures } from '#domain/figures/figures.ts';
import type { PaidTwice } from '#domain/figures/paid-twice.ts';
import type { ChangedRows } from '#domain/revision/changed-rows.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { AttachmentFormat, MailedMerchant } from '../report/report-input.ts';

export interface AttachedInvoices {
  formats: readonly AttachmentFormat[];
  rows: number;
}

export interface CorrectionInput {
  merchant: MailedMerchant;
  manifest: Manifest;
  before: Figures;
  /** The rows that differ from that mail's revision. `null` when they cannot be compared. */
  rows: { invoices: ChangedRows; refunds: ChangedRows } | null;
  paidTwice: PaidTwice;
  /** `null` when no file is attached. */
  attached: AttachedInvoices | null;
}
