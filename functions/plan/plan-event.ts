import * as z from 'zod';
import { daySchema, isDay } from '#records/day/business-day.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { MERCHANT_CODE } from '#records/storage/keys.ts';

const LONGEST_BACKFILL = 400;
const DAY_LENGTH = 24 * 60 * 60 * 1_000;

export const eventSchema = z.lazy(() =>
  z.strictObject({
    kind: z.enum(['daily', 'alert', 'statement']),
    scheduledTime: z.iso.datetime().optional(),
    merchants: z.array(z.string().regex(MERCHANT_CODE, 'must be a merchant code')).min(1).optional(),
    day: z
      .string()
      .refine(
        (text) => text === 'yesterday' || text === 'today' || isDay(text),
        'is neither a date (YYYY-MM-DD), "yesterday" nor "today"',
      )
      .optional(),
    from: daySchema.optional(),
    to: daySchema.optional(),
    send: z.boolean().optional(),
    dryRun: z.boolean().default(false),
  }),
);

type PlanMembers = z.infer<typeof eventSchema>;

function assertRange({ kind, day, from, to }: PlanMembers): void {
  if (from === undefined && to === undefined) return;
  if (from === undefined) throw new InvalidEventError('from', 'must be given together with "to"');
  if (to === undefined) throw new InvalidEventError('to', 'must be given together with "from"');
  if (day !== undefined) throw new InvalidEventError('day', 'does not go with "from" and "to"');
  if (kind !== 'daily') throw new InvalidEventError('from', 'goes with the kind "daily" only');
  if (from > to) throw new InvalidEventError('to', 'lies before "from"');
  if ((Date.parse(to) - Date.parse(from)) / DAY_LENGTH >= LONGEST_BACKFILL) {
    throw new InvalidEventError('to', `is too late: a backfill has at most ${LONGEST_BACKFILL} days`);
  }
}

/** What a person or the schedule asks for. `scheduledTime` is ISO 8601 in UTC. */
export type PlanEvent = ReturnType<typeof meaningOf>;
type EventThat<Is> = Extract<PlanEvent, { is: Is }>;
export type TickEvent = EventThat<'tick'>;
/** Its day is a date, `yesterday` or `today`. */
export type DayEvent = EventThat<'day'>;
/** Every day from `from` to `to`, both included. */
export type BackfillEvent = EventThat<'backfill'>;
/** Asks which statements and pages of groups are due: at a tick, or now. */
export type StatementsEvent = EventThat<'statements'>;

function meaningOf(members: PlanMembers) {
  const { kind, merchants, send, dryRun, scheduledTime, day, from, to } = members;
  const isNarrowed = merchants !== undefined || send === false || day !== undefined || from !== undefined;
  // The next tick does not continue from what is done by hand.
  const byHand = isNarrowed || dryRun || scheduledTime === undefined;
  const scope = { merchants, send, dryRun, byHand };
  // A check mails what its rules say: it must not look as if it could be kept from that.
  if (kind === 'alert' && send !== undefined) {
    throw new InvalidEventError('send', 'does not go with the kind "alert"');
  }
  if (kind === 'statement') {
    if (day !== undefined) throw new InvalidEventError('day', 'does not go with the kind "statement"');
    return { is: 'statements' as const, kind, ...scope, scheduledTime };
  }
  if (from !== undefined && to !== undefined) {
    return { is: 'backfill' as const, kind, ...scope, from, to, scheduledTime };
  }
  if (kind === 'daily' && day === undefined && scheduledTime !== undefined) {
    return { is: 'tick' as const, kind, ...scope, scheduledTime };
  }
  const usual = kind === 'alert' ? 'today' : 'yesterday';
  return { is: 'day' as const, kind, ...scope, day: day ?? usual, scheduledTime };
}

/** Reads the event of `plan` (docs/interfaces.md, 4.1 plan). @throws {InvalidEventError} names the wrong member */
export function readPlanEvent(event: unknown): PlanEvent {
  const members = readEvent(eventSchema, event);
  assertRange(members);
  return meaningOf(members);
}
