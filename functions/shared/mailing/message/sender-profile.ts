import type { Environment } from '#runtime/environment.ts';
import type { MailParts } from './mime.ts';

/** What stands at the head of every mail to a merchant's people. */
export interface SenderProfile {
  /** Sender, as in `MAIL_FROM`. */
  from: string;
  /** Where answers go; left out, to the sender. */
  replyTo?: string | undefined;
  /** Who takes people off the registry's lists of recipients. */
  unsubscribe?: string | undefined;
}

/** The sender profile that the function's environment says. */
export function senderProfileOf({ MAIL_FROM, REPLY_TO, UNSUBSCRIBE_ADDRESS }: Environment): SenderProfile {
  return { from: MAIL_FROM, replyTo: REPLY_TO, unsubscribe: UNSUBSCRIBE_ADDRESS };
}

/** The head of a mail about a merchant's day, whatever the kind of mail: all of them are one thread. */
export function headOf(
  { from, replyTo, unsubscribe }: SenderProfile,
  merchantCode: string,
  day: string,
): Pick<MailParts, 'from' | 'replyTo' | 'unsubscribe' | 'thread'> {
  return {
    from,
    ...(replyTo !== undefined && { replyTo }),
    // The sender of the request says who; the subject, of whose mails.
    ...(unsubscribe !== undefined && {
      unsubscribe: { address: unsubscribe, subject: `Unsubscribe ${merchantCode}` },
    }),
    thread: `merchant ${merchantCode}, day ${day}`,
  };
}
