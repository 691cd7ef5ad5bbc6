import * as z from 'zod';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { PREVIEW_IS_ONCE, RESEND_IS_SENT, mailMembers, ownerName } from '../page-event.ts';
import { seenDaysSchema } from '#runtime/queue-message.ts';
import type { PageOwner } from '#records/storage/keys.ts';

export const statementEventSchema = z.lazy(() =>
  z
    .strictObject({
      merchantCode: ownerName.optional(),
      group: ownerName.optional(),
      period: z.string(),
      ...mailMembers(),
      /** Of each day, as `plan` saw it; 0 when it is not sealed. */
      revisions: z.array(z.int().min(0).max(999_999_999)).max(31).optional(),
      /** When, and the first of these days. */
      seen: seenDaysSchema.optional(),
    })
    .refine(...RESEND_IS_SENT)
    .refine(...PREVIEW_IS_ONCE),
);

/** With its one owner. Without `send` it is mailed. */
export type StatementEvent = Omit<z.infer<typeof statementEventSchema>, 'merchantCode' | 'group'> & {
  owner: PageOwner;
};

/** When a period such as `last-month` is named: at its scheduled time, even when the event comes late. Milliseconds UTC. */
export function namedAt({ scheduledTime }: Pick<StatementEvent, 'scheduledTime'>, now: number): number {
  return scheduledTime ? Math.min(Date.parse(scheduledTime), now) : now;
}

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
