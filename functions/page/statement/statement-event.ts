import * as z from 'zod';
import { mailAddress } from '#registry/mail-address.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { seenDaysSchema } from '../statement-item.ts';
import { MERCHANT_CODE, MOST_RECIPIENTS } from '#registry/registry-schema.ts';
import type { PageOwner } from '#records/storage/keys.ts';

const name = z.lazy(() => z.string().regex(MERCHANT_CODE, 'must be letters, digits and "-", 64 at most'));

export const statementEventSchema = z.lazy(() =>
  z
    .strictObject({
      merchantCode: name.optional(),
      group: name.optional(),
      period: z.string(),
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
      /** Of each day, as `plan` saw it; 0 when it is not sealed. */
      revisions: z.array(z.int().min(0).max(999_999_999)).max(31).optional(),
      /** When, and the first of these days. */
      seen: seenDaysSchema.optional(),
    })
    .refine(({ resend, send }) => send || resend === false, {
      path: ['resend'],
      message: 'contradicts "send": false',
    })
    .refine(({ resend, to }) => to === undefined || resend === false, {
      path: ['resend'],
      message: 'contradicts "to": a preview is not sent again',
    }),
);

/** With its one owner. Without `send` it is mailed. */
export type StatementEvent = Omit<z.infer<typeof statementEventSchema>, 'merchantCode' | 'group'> & {
  owner: PageOwner;
};

/** @throws {InvalidEventError} names the wrong, missing, unknown or contradicting member */
export function readStatementEvent(event: unknown): StatementEvent {
  const { merchantCode, group, ...members } = readEvent(statementEventSchema, event);
  if (merchantCode === undefined) {
    if (group === undefined) throw new InvalidEventError('merchantCode', 'is missing, and so is "group"');
    for (const name of ['revisions', 'seen'] as const) {
      if (members[name] !== undefined) throw new InvalidEventError(name, 'does not go with "group"');
    }
    return { ...members, owner: { group } };
  }
  if (group !== undefined) throw new InvalidEventError('group', 'does not go with "merchantCode"');
  // Without the time of the look nobody knows how old they are.
  if ((members.revisions === undefined) !== (members.seen === undefined)) {
    throw new InvalidEventError('revisions', 'and "seen" go together');
  }
  return { ...members, owner: { merchantCode } };
}
