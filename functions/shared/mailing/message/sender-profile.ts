import type { Environment } from '#domain/settings/environment.ts';
import type { Branding } from '#domain/registry/branding.ts';

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
export function senderProfileOf({ mail, branding }: Pick<Environment, 'mail' | 'branding'>): SenderProfile {
  return { ...mail, branding };
}
