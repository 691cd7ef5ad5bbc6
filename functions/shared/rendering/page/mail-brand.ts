import type { Branding } from '#domain/registry/branding.ts';

/** How a mail shows its sender, and whom a reader writes to. The same for all recipients. */
export interface MailBrand extends Branding {
  /** The name in `From`, for a logo that is not shown. */
  fromName: string;
  /** The address for requests to get no more mails. Left out: the reader answers the mail. */
  unsubscribe?: string | undefined;
}
