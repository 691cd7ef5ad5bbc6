import type { Environment } from '#runtime/environment.ts';
import type { Branding } from '#domain/registry/branding.ts';
import type { MailBrand } from '#rendering/page/mail-brand.ts';
import { bareAddress, senderName } from './bare-address.ts';
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
  /** The stage's. The registry's comes before it, member by member. */
  branding?: Branding;
}

/** The sender profile in the function's environment. */
export function senderProfileOf(environment: Environment): SenderProfile {
  const { MAIL_FROM, REPLY_TO, UNSUBSCRIBE_ADDRESS } = environment;
  const { BRAND_SENDER_NAME, BRAND_LOGO, BRAND_COLOUR, BRAND_HELP, BRAND_ADDRESS, BRAND_FOOTER } =
    environment;
  return {
    from: MAIL_FROM,
    replyTo: REPLY_TO,
    unsubscribe: UNSUBSCRIBE_ADDRESS,
    branding: {
      senderName: BRAND_SENDER_NAME,
      logo: BRAND_LOGO,
      colour: BRAND_COLOUR,
      help: BRAND_HELP,
      address: BRAND_ADDRESS,
      footer: BRAND_FOOTER === undefined || BRAND_FOOTER === '' ? undefined : BRAND_FOOTER === 'true',
    },
  };
}

/** The brand of a merchant's mails: the registry's members, then the stage's. */
export function brandOf(
  { from, unsubscribe, branding }: SenderProfile,
  merchant: { branding: Branding },
): MailBrand {
  const own = Object.entries(merchant.branding).filter(([, value]) => value !== undefined);
  return { ...branding, ...Object.fromEntries(own), fromName: senderName(from), unsubscribe };
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
