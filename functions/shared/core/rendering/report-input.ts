import type { Figures } from '../figures.ts';
import type { InvoiceHighlights } from '../invoice-highlights.ts';
import type { Manifest } from '../manifest.ts';
import type { Language } from './texts/texts.ts';

/** Whom a mail is about, as far as it shows. */
export interface MailedMerchant {
  merchantCode: string;
  /** Any text, hostile or not. */
  name: string;
  timeZone: string;
  currency: string;
  language: Language;
}

export type AttachmentFormat = 'csv' | 'xlsx';

/** The day's invoices in one format: attached, or too large for that and kept whole under the key. */
export type ReportAttachment =
  | { kind: 'attached'; format: AttachmentFormat; filename: string; rows: number }
  | { kind: 'too-big'; format: AttachmentFormat; rows: number; key: string };

/** What a report is made of: the merchant's settings and a sealed revision, nothing that a later run would not have. */
export interface ReportInput {
  merchant: MailedMerchant;
  manifest: Manifest;
  /** The figures of the last revision that was mailed; with them the mail is a correction. */
  before: Figures | null;
  /** Sent to chosen addresses on request, and marked so. */
  preview: boolean;
  /** `null` for a day without invoices, and for a preview of one that is not sealed. */
  highlights: InvoiceHighlights | null;
  /** One for each format that the merchant asks for. */
  attachments: readonly ReportAttachment[];
}
