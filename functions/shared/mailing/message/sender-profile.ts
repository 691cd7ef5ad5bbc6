import type { Environment } from '#runtime/environment.ts';
import type { Branding } from '#domain/registry/branding.ts';

export interface SenderProfile {
  from: string;
  /** Left out: the sender. */
  replyTo?: string | undefined;
  unsubscribe?: string | undefined;
  /** The registry's comes before it, member by member. */
  branding?: Branding;
}

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
