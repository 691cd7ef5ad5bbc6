import type { MailTags } from './message/mail-tags.ts';

export interface OutgoingMail {
  to: string;
  raw: Uint8Array;
  tags: MailTags;
}

/**
 * `refused`: certainly not accepted (`throttled`: later may help). `unknown`: sending again could send it
 * twice.
 */
export type SendOutcome =
  | { kind: 'accepted'; messageId: string }
  | { kind: 'refused'; throttled: boolean; reason: string }
  | { kind: 'unknown'; reason: string };

export interface MailSender {
  /** @param timeout milliseconds after which the outcome is `unknown` */
  send(mail: OutgoingMail, timeout: number): Promise<SendOutcome>;
}
