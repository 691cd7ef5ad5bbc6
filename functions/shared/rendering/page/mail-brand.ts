import type { Branding } from '#domain/registry/branding.ts';

/** The same for all recipients. */
export interface MailBrand extends Branding {
  fromName: string;
  /** The address for requests to get no more mails. Left out: the reader answers the mail. */
  unsubscribe?: string | undefined;
}
