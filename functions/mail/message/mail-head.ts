import type { Branding } from '#registry/branding.ts';
import type { MailBrand } from '../template/mailed-merchant.ts';
import { bareAddress } from '#registry/bare-address.ts';
import { daybookHeaders } from './daybook-headers.ts';
import type { Internals, MailKind } from './daybook-headers.ts';
import type { MailParts } from './mime.ts';
import { senderName } from './sender-name.ts';
import type { SenderProfile } from './sender-profile.ts';

/** The registry's members, then the stage's. */
export function brandOf(
  { from, unsubscribe, branding }: SenderProfile,
  merchant: { branding: Branding },
): MailBrand {
  const own = Object.entries(merchant.branding).filter(([, value]) => value !== undefined);
  return { ...branding, ...Object.fromEntries(own), fromName: senderName(from), unsubscribe };
}

export interface MailAbout {
  kind: MailKind;
  merchantCode: string;
  day: string;
  /** The number of a revision, or the name of a check. */
  revision: number | string;
  internals: Internals;
}

/** The head of a mail. All kinds of mails about the day form one thread. */
export function headOf(
  { from, replyTo, unsubscribe }: SenderProfile,
  brand: Pick<MailBrand, 'senderName'>,
  { kind, merchantCode, day, revision, internals }: MailAbout,
): Pick<MailParts, 'from' | 'replyTo' | 'unsubscribe' | 'thread' | 'headers'> {
  const { senderName: name } = brand;
  return {
    from: name === undefined ? from : `${name} <${bareAddress(from)}>`,
    ...(replyTo !== undefined && { replyTo }),
    // The sender of such a request is the recipient; the subject names the merchant.
    ...(unsubscribe !== undefined && {
      unsubscribe: { address: unsubscribe, subject: `Unsubscribe ${merchantCode}` },
    }),
    thread: `merchant ${merchantCode}, day ${day}`,
    headers: daybookHeaders({ kind, reference: [merchantCode, day, revision], internals }),
  };
}
