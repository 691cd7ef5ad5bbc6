import type { Figures } from '#records/figures/figure-schemas.ts';
import type { PaidTwice } from '#records/figures/paid-twice.ts';
import type { ChangedRows } from '#records/revision/changed-rows.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { AttachmentFormat } from '../report/report-input.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';

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
