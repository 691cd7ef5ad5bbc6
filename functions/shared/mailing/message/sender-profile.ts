import type { Environment } from '#runtime/environment.ts';
import { daybookHeaders } from './daybook-headers.ts';
import type { Internals, MailKind } from './daybook-headers.ts';
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

/** What a mail about a merchant's day is. It becomes headers of the mail. */
export interface MailAbout {
  kind: MailKind;
  merchantCode: string;
  day: string;
  /** What identifies the mail beside merchant and day: the number of a revision, or the name of a check. */
  revision: number | string;
  internals: Internals;
}

/** The head of a mail about a merchant's day. All kinds of mails about the day form one thread. */
export function headOf(
  { from, replyTo, unsubscribe }: SenderProfile,
  { kind, merchantCode, day, revision, internals }: MailAbout,
): Pick<MailParts, 'from' | 'replyTo' | 'unsubscribe' | 'thread' | 'headers'> {
  return {
    from,
    ...(replyTo !== undefined && { replyTo }),
    // The sender of such a request is the recipient; the subject names the merchant.
    ...(unsubscribe !== undefined && {
      unsubscribe: { address: unsubscribe, subject: `Unsubscribe ${merchantCode}` },
    }),
    thread: `merchant ${merchantCode}, day ${day}`,
    headers: daybookHeaders({ kind, reference: [merchantCode, day, revision], internals }),
  };
}
