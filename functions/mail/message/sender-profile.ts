import type { Environment } from '#registry/environment.ts';
import type { Branding } from '#registry/branding.ts';

export interface SenderProfile {
  from: string;
  /** Left out: the sender. */
  replyTo?: string | undefined;
  unsubscribe?: string | undefined;
  /** How the links are made with which readers stop mails. Left out: there are none. */
  links?: Pick<Environment['links'], 'secret' | 'stops'>;
  /** The registry's comes before it, member by member. */
  branding?: Branding;
}

export function senderProfileOf({
  mail,
  branding,
  links,
}: Pick<Environment, 'mail' | 'branding' | 'links'>): SenderProfile {
  return { ...mail, branding, links };
}
