import type { Environment } from '#registry/environment.ts';
import type { Branding } from '#registry/branding.ts';

export interface SenderProfile {
  from: string;
  /** Left out: the sender. */
  replyTo?: string | undefined;
  unsubscribe?: string | undefined;
  /** The registry's comes before it, member by member. */
  branding?: Branding;
}

export function senderProfileOf({ mail, branding }: Pick<Environment, 'mail' | 'branding'>): SenderProfile {
  return { ...mail, branding };
}
