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

interface PlanScope {
  /** `undefined`: all merchants. */
  merchants: string[] | undefined;
  send: boolean | undefined;
  /** Only answers: sends nothing, remembers nothing. */
  dryRun: boolean;
  /** Whether this is not a tick of the schedule. The next tick then does not continue from it. */
  byHand: boolean;
}

/** `scheduledTime` is ISO 8601 in UTC. */
export interface TickEvent extends PlanScope {
  is: 'tick';
  kind: 'daily';
  scheduledTime: string;
}

export interface DayEvent extends PlanScope {
  is: 'day';
  kind: 'daily' | 'alert';
  /** A date, `yesterday` or `today`. */
  day: string;
  scheduledTime: string | undefined;
}

/** Every day from `from` to `to`, both included. */
export interface BackfillEvent extends PlanScope {
  is: 'backfill';
  kind: 'daily';
  from: string;
  to: string;
  scheduledTime: string | undefined;
}

/** Asks which statements and pages of groups are due: at a tick, or now. */
export interface StatementsEvent extends PlanScope {
  is: 'statements';
  kind: 'statement';
  scheduledTime: string | undefined;
}

/** The events that are answered from the registry alone. */
export type DueEvent = TickEvent | DayEvent | BackfillEvent;

export type PlanEvent = DueEvent | StatementsEvent;

function meaningOf(members: PlanMembers): PlanEvent {
  const { kind, merchants, send, dryRun, scheduledTime, day, from, to } = members;
  const isNarrowed = merchants !== undefined || send === false || day !== undefined || from !== undefined;
  const scope = { merchants, send, dryRun, byHand: isNarrowed || dryRun || scheduledTime === undefined };
  // A check mails what its rules say: it must not look as if it could be kept from that.
  if (kind === 'alert' && send !== undefined) {
    throw new InvalidEventError('send', 'does not go with the kind "alert"');
  }
  if (kind === 'statement') {
    if (day !== undefined) throw new InvalidEventError('day', 'does not go with the kind "statement"');
    return { is: 'statements', kind, ...scope, scheduledTime };
  }
  if (from !== undefined && to !== undefined) {
    return { is: 'backfill', kind: 'daily', ...scope, from, to, scheduledTime };
  }
  if (day !== undefined) return { is: 'day', kind, ...scope, day, scheduledTime };
  if (kind === 'alert') return { is: 'day', kind, ...scope, day: 'today', scheduledTime };
  if (scheduledTime === undefined) return { is: 'day', kind, ...scope, day: 'yesterday', scheduledTime };
  return { is: 'tick', kind, ...scope, scheduledTime };
}

/**
 * Reads the event of `plan` (docs/interfaces.md, 4.1 plan).
 * @throws {InvalidEventError} names the wrong member
 */
export function readPlanEvent(event: unknown): PlanEvent {
  const members = readEvent(eventSchema, event);
  assertRange(members);
  return meaningOf(members);
}
