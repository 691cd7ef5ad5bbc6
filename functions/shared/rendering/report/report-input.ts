import type { Figures } from '#domain/figures/figures.ts';
import type { DayFigures } from '#domain/figures/history.ts';
import type { InvoiceHighlights } from '#domain/figures/invoice-highlights.ts';
import type { Manifest } from '#domain/revision/manifest.ts';
import type { Language } from '../texts/texts.ts';

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

/** A file of the day's invoices: with the mail, or too big for it and kept under `key`. */
export type ReportAttachment =
  | { kind: 'attached'; format: AttachmentFormat; filename: string; rows: number }
  | { kind: 'too-big'; format: AttachmentFormat; rows: number; key: string };

/** What a report is made of: the merchant's settings and a sealed revision, nothing that a later run would not have. */
export interface ReportInput {
  merchant: MailedMerchant;
  manifest: Manifest;
  /** The days before, as they were known when the revision was sealed. */
  history: readonly DayFigures[];
  /** The figures of the last revision that was mailed; with them the mail is a correction. */
  before: Figures | null;
  /** Sent to chosen addresses on request, and marked so. */
  preview: boolean;
  /** What the sealed invoices say beyond the manifest's figures, `null` where there are none. */
  highlights: InvoiceHighlights | null;
  attachments: readonly ReportAttachment[];
}
