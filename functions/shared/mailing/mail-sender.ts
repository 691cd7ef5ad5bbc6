import type { MailTags } from '#domain/mail/mail-tags.ts';

/** One message for one recipient, as raw MIME. */
export interface OutgoingMail {
  to: string;
  raw: Uint8Array;
  tags: MailTags;
}

/**
 * How a call to the mail service ended. `refused`: it certainly was not taken (`throttled`: trying later may help).
 * `unknown`: it may or may not have been taken, so sending it again could send it twice.
 */
export type SendOutcome =
  | { kind: 'accepted'; messageId: string }
  | { kind: 'refused'; throttled: boolean; reason: string }
  | { kind: 'unknown'; reason: string };

/** Hands a message over, exactly one request a call. */
export interface MailSender {
  /** @param timeout milliseconds after which the outcome is `unknown` */
  send(mail: OutgoingMail, timeout: number): Promise<SendOutcome>;
}
