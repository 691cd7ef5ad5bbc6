import type { Figures } from '../figures.ts';
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

/** What a report is made of: the merchant's settings and a sealed revision, nothing that a later run would not have. */
export interface ReportInput {
  merchant: MailedMerchant;
  manifest: Manifest;
  /** The figures of the last revision that was mailed; with them the mail is a correction. */
  before: Figures | null;
  /** Sent to chosen addresses on request, and marked so. */
  preview: boolean;
  attachment:
    | { kind: 'none' }
    | { kind: 'csv'; filename: string; rows: number }
    | { kind: 'too-big'; rows: number; key: string };
}
