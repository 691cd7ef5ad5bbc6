import * as z from 'zod';
import { isDay } from '../shared/core/business-day.ts';
import { InvalidEventError, readEvent } from '../shared/core/invalid-event.ts';
import { MERCHANT_CODE } from '../shared/core/registry.ts';

/** The most days of a backfill, `from` and `to` included. */
const LONGEST_BACKFILL = 366;
const DAY_LENGTH = 24 * 60 * 60 * 1_000;

/** Where the fan-out writes what became of a round: `plan/results/<kind>/<map run>/manifest.json`. */
const RESULTS_KEY = /^plan\/results\/(daily|alert)\/[A-Za-z0-9-]{1,100}\/manifest\.json$/;

const date = z.lazy(() => z.string().refine(isDay, 'is no date (YYYY-MM-DD)'));

const eventSchema = z.lazy(() =>
  z.strictObject({
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
    failedOf: z.string().regex(RESULTS_KEY, 'must be the key of a manifest under plan/results/').optional(),
    of: z.int().min(1).optional(),
  }),
);

type PlanMembers = z.infer<typeof eventSchema>;

/** @throws {InvalidEventError} when the members contradict each other */
function assertRange({ kind, day, from, to }: PlanMembers): void {
  if (from === undefined && to === undefined) return;
  if (from === undefined) throw new InvalidEventError('from', 'must stand beside "to"');
  if (to === undefined) throw new InvalidEventError('to', 'must stand beside "from"');
  if (day !== undefined) throw new InvalidEventError('day', 'does not go with "from" and "to"');
  if (kind === 'alert') throw new InvalidEventError('from', 'goes with the kind "daily" only');
  if (from > to) throw new InvalidEventError('to', 'lies before "from"');
  if ((Date.parse(to) - Date.parse(from)) / DAY_LENGTH >= LONGEST_BACKFILL) {
    throw new InvalidEventError('to', `is too late: a backfill has at most ${LONGEST_BACKFILL} days`);
  }
}

/** @throws {InvalidEventError} when members that ask for another plan stand beside `failedOf` */
function assertFailedOf(members: PlanMembers): void {
  const { kind, failedOf, of, ...others } = members;
  if (failedOf === undefined) {
    if (of !== undefined) throw new InvalidEventError('of', 'goes with "failedOf" only');
    return;
  }
  // The items say who, which days and whether to mail; another word on that here would go unheard.
  const [other] = Object.keys(others);
  if (other !== undefined) throw new InvalidEventError(other, 'does not go with "failedOf"');
  if (!failedOf.startsWith(`plan/results/${kind}/`)) {
    throw new InvalidEventError('failedOf', `is not of the kind "${kind}"`);
  }
}

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

/** Whatever a round of the fan-out did not finish, once more as it was. */
export interface FailedEvent {
  is: 'failed';
  kind: 'daily' | 'alert';
  /** Key of the manifest that Step Functions wrote for the round. */
  failedOf: string;
  /** How many items there were at first; the answer then says what share of them still fails. */
  of: number | undefined;
}

/** What the registry is asked about (`interfaces.md`, Events). */
export type DueEvent = TickEvent | DayEvent | BackfillEvent;

/** What `plan` is asked for. */
export type PlanEvent = DueEvent | FailedEvent;

function meaningOf(members: PlanMembers): PlanEvent {
  const { kind, merchants, send, scheduledTime, day, from, to, failedOf, of } = members;
  if (failedOf !== undefined) return { is: 'failed', kind, failedOf, of };
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
  const members = readEvent(eventSchema, event);
  assertFailedOf(members);
  assertRange(members);
  return meaningOf(members);
}
