import * as z from 'zod';
import { isDay } from '../shared/core/business-day.ts';
import { readEvent } from '../shared/core/invalid-event.ts';
import { MERCHANT_CODE } from '../shared/core/registry.ts';

/** The most days of a backfill, `from` and `to` included. */
const LONGEST_BACKFILL = 366;
const DAY_LENGTH = 24 * 60 * 60 * 1_000;

const date = z.string().refine(isDay, 'is no date (YYYY-MM-DD)');

const memberSchema = z.strictObject({
  kind: z.enum(['daily', 'alert']),
  scheduledTime: z.iso.datetime().optional(),
  merchants: z.array(z.string().regex(MERCHANT_CODE, 'must be a merchant code')).min(1).optional(),
  day: z
    .string()
    .refine(
      (text) => text === 'yesterday' || text === 'today' || isDay(text),
      'is neither a date (YYYY-MM-DD), "yesterday" nor "today"',
    )
    .optional(),
  from: date.optional(),
  to: date.optional(),
  send: z.boolean().optional(),
});

const eventSchema = memberSchema.superRefine(({ kind, day, from, to }, context) => {
  const wrong = (member: string, message: string) =>
    context.addIssue({ code: 'custom', path: [member], message });
  if (from === undefined && to === undefined) return;
  if (from === undefined) return wrong('from', 'must stand beside "to"');
  if (to === undefined) return wrong('to', 'must stand beside "from"');
  if (day !== undefined) return wrong('day', 'does not go with "from" and "to"');
  if (kind === 'alert') return wrong('from', 'goes with the kind "daily" only');
  if (from > to) return wrong('to', 'lies before "from"');
  if ((Date.parse(to) - Date.parse(from)) / DAY_LENGTH >= LONGEST_BACKFILL) {
    return wrong('to', `lies too far behind "from": a backfill has at most ${LONGEST_BACKFILL} days`);
  }
});

type PlanMembers = z.infer<typeof memberSchema>;

/** What every event says or leaves open. */
interface PlanScope {
  /** Of all merchants where it names none. */
  merchants: string[] | undefined;
  send: boolean | undefined;
  /** Not the schedule's own plain tick, so nothing that the next tick goes on from. */
  byHand: boolean;
}

/** A firing of the daily schedule. `scheduledTime` is ISO 8601 in UTC. */
export interface TickEvent extends PlanScope {
  is: 'tick';
  kind: 'daily';
  scheduledTime: string;
}

/** One day of each merchant, as a person asks for it, or today as the alert schedule does. */
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

/** What `plan` is asked for (`interfaces.md`, Events). */
export type PlanEvent = TickEvent | DayEvent | BackfillEvent;

function meaningOf(members: z.infer<typeof memberSchema>): PlanEvent {
  const { kind, merchants, send, scheduledTime, day, from, to } = members;
  const isNarrowed = merchants !== undefined || send === false || day !== undefined || from !== undefined;
  const scope = { merchants, send, byHand: isNarrowed || scheduledTime === undefined };
  if (from !== undefined && to !== undefined) {
    return { is: 'backfill', kind: 'daily', ...scope, from, to, scheduledTime };
  }
  if (day !== undefined) return { is: 'day', kind, ...scope, day, scheduledTime };
  if (kind === 'alert') return { is: 'day', kind, ...scope, day: 'today', scheduledTime };
  if (scheduledTime === undefined) return { is: 'day', kind, ...scope, day: 'yesterday', scheduledTime };
  return { is: 'tick', kind, ...scope, scheduledTime };
}

/**
 * Reads the event of `plan`.
 *
 * @throws {InvalidEventError} naming the member that is wrong or not known
 */
export function readPlanEvent(event: unknown): PlanEvent {
  return meaningOf(readEvent(eventSchema, event));
}
