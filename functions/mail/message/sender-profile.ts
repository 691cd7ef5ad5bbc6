import type { Environment } from '#registry/environment.ts';
import type { Branding } from '#registry/branding.ts';

export interface SenderProfile {
  from: string;
  /** Left out: the sender. */
  replyTo?: string | undefined;
  unsubscribe?: string | undefined;
  /** The registry's comes before it, member by member. */
  branding?: Branding;
  /** What links in mails are made of, as far as the stage makes some. */
  links?: Environment['links'];
}

export function senderProfileOf({
  mail,
  branding,
  links,
}: Pick<Environment, 'mail' | 'branding' | 'links'>): SenderProfile {
  return { ...mail, branding, links };
}
