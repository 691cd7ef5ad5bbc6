import type { Branding } from '#registry/branding.ts';
import type { Language } from '../texts/texts.ts';
import { isVisible, oneLine } from '../formatters/outside-text.ts';

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

const LONGEST_NAME_IN_SUBJECT = 80;

type Named = Pick<MailedMerchant, 'merchantCode' | 'name'>;

/** The merchant's name on one line, or the code when no part of the name is visible. */
export function merchantName(merchant: Named, limit = 500): string {
  return isVisible(merchant.name) ? oneLine(merchant.name, limit) : merchant.merchantCode;
}

/** The same, short enough to leave room for the rest of a subject. */
export function nameInSubject(merchant: Named): string {
  return merchantName(merchant, LONGEST_NAME_IN_SUBJECT);
}
