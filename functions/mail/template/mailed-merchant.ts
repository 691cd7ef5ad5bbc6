import type { Branding } from '#registry/branding.ts';
import type { Language } from '../texts/texts.ts';

/** The same for all recipients. */
export interface MailBrand extends Branding {
  fromName: string;
  /** The address for requests to get no more mails. Left out: the reader answers the mail. */
  unsubscribe?: string | undefined;
}

export interface MailedMerchant {
  merchantCode: string;
  /** Any text, which may be hostile. */
  name: string;
  timeZone: string;
  currency: string;
  language: Language;
  /** Left out: the mail shows no sender beside its `From`. */
  brand?: MailBrand;
}
