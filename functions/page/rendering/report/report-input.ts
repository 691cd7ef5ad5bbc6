import type { DayCharges } from '#records/figures/charges.ts';
import type { DayFigures } from '#records/figures/history.ts';
import type { InvoiceHighlights } from '#records/figures/invoice-highlights.ts';
import type { PaidTwice } from '#records/figures/paid-twice.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { MailedMerchant } from '#mail/template/mailed-merchant.ts';

export type AttachmentFormat = 'csv' | 'xlsx';

/** A file of the day's invoices: attached, or too large for the mail. */
export type ReportAttachment =
  | { kind: 'attached'; format: AttachmentFormat; filename: string; rows: number }
  | { kind: 'too-big'; format: AttachmentFormat; rows: number };

/** The input of a report: the merchant's settings and a sealed revision. A later run has the same. */
export interface ReportInput {
  merchant: MailedMerchant;
  manifest: Manifest;
  /** The earlier days, as they were known when the revision was sealed. */
  history: readonly DayFigures[];
  /** Whether it is sent to chosen addresses on request, and marked so. */
  preview: boolean;
  highlights: InvoiceHighlights | null;
  paidTwice: PaidTwice;
  charges: DayCharges;
  /** Whether the day is read again on later days, so that a correction may follow. */
  isReadAgain: boolean;
  attachments: readonly ReportAttachment[];
}
