import * as z from 'zod';
import { mailAddress } from '#registry/mail-address.ts';
import { MERCHANT_CODE, MOST_RECIPIENTS } from '#registry/registry-schema.ts';

/** What the events of pages share (docs/interfaces.md, 4 Events and answers). */

export const ownerName = z.lazy(() =>
  z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'),
);

/** How a page is mailed, and when it was due. Without `send` it is mailed. */
export function mailMembers() {
  return {
    send: z.boolean().default(true),
    to: z.array(mailAddress).min(1).max(50).optional(),
    resend: z
      .union(
        [z.boolean(), z.literal('failed'), z.array(mailAddress).min(1).max(MOST_RECIPIENTS)],
        `must be true, false, "failed" or a list of 1 to ${MOST_RECIPIENTS} addresses`,
      )
      .default(false),
    dryRun: z.boolean().default(false),
    scheduledTime: z.iso.datetime({ offset: true }).nullish(),
  };
}

interface Asked {
  send: boolean;
  to?: readonly string[] | undefined;
  resend: boolean | 'failed' | readonly string[];
}

/** Checks of an event, for `refine`. */
type Check = [(event: Asked) => boolean, { path: string[]; message: string }];

export const RESEND_IS_SENT: Check = [
  ({ resend, send }) => send || resend === false,
  { path: ['resend'], message: 'contradicts "send": false' },
];

export const PREVIEW_IS_ONCE: Check = [
  ({ resend, to }) => to === undefined || resend === false,
  { path: ['resend'], message: 'contradicts "to": a preview is not sent again' },
];
