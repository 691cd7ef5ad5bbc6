import type { Environment } from '#runtime/environment.ts';
import type { MailParts } from './mime.ts';

/** The addresses in the head of every mail to a merchant's recipients. */
export interface SenderProfile {
  /** Sender, as in `MAIL_FROM`. */
  from: string;
  /** The address for answers. Left out: the sender. */
  replyTo?: string | undefined;
  /** The address of the people who remove recipients from the registry. */
  unsubscribe?: string | undefined;
}

/** The sender profile in the function's environment. */
export function senderProfileOf({ MAIL_FROM, REPLY_TO, UNSUBSCRIBE_ADDRESS }: Environment): SenderProfile {
  return { from: MAIL_FROM, replyTo: REPLY_TO, unsubscribe: UNSUBSCRIBE_ADDRESS };
}

/** The head of a mail about a merchant's day. All kinds of mails about the day form one thread. */
export function headOf(
  { from, replyTo, unsubscribe }: SenderProfile,
  merchantCode: string,
  day: string,
): Pick<MailParts, 'from' | 'replyTo' | 'unsubscribe' | 'thread'> {
  return {
    from,
    ...(replyTo !== undefined && { replyTo }),
    // The sender of such a request is the recipient; the subject names the merchant.
    ...(unsubscribe !== undefined && {
      unsubscribe: { address: unsubscribe, subject: `Unsubscribe ${merchantCode}` },
    }),
    thread: `merchant ${merchantCode}, day ${day}`,
  };
}
