import type { MailTags } from '#domain/mail/mail-tags.ts';

/** One message for one recipient, as raw MIME. */
export interface OutgoingMail {
  to: string;
  raw: Uint8Array;
  tags: MailTags;
}

/**
 * How a call to the mail service ended. `refused`: the service certainly did not accept the mail
 * (`throttled`: trying later may help). `unknown`: it may have accepted the mail, so sending again could send
 * it twice.
 */
export type SendOutcome =
  | { kind: 'accepted'; messageId: string }
  | { kind: 'refused'; throttled: boolean; reason: string }
  | { kind: 'unknown'; reason: string };

/** Gives a message to the mail service. A call makes exactly one request. */
export interface MailSender {
  /** @param timeout milliseconds after which the outcome is `unknown` */
  send(mail: OutgoingMail, timeout: number): Promise<SendOutcome>;
}
