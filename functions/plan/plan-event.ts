import * as z from 'zod';
import { isDay } from '#records/day/business-day.ts';
import { InvalidEventError, readEvent } from '#records/errors/invalid-event.ts';
import { MERCHANT_CODE } from '#registry/registry-schema.ts';

const LONGEST_BACKFILL = 366;
const DAY_LENGTH = 24 * 60 * 60 * 1_000;

/** Where the fan-out writes the results of a round: `plan/results/<kind>/<map run>/manifest.json`. */
const RESULTS_KEY = /^plan\/results\/(daily|alert|statement)\/[A-Za-z0-9-]{1,100}\/manifest\.json$/;

const ITEMS_KEY = /^plan\/daily\/\d{8}T\d{6}Z(-[0-9a-f]{8})?\.json$/;

const resultsKey = z.lazy(() =>
  z.string().regex(RESULTS_KEY, 'must be the key of a manifest under plan/results/'),
);

const runSchema = z.lazy(() =>
  z.strictObject({
    places: z.int().min(1).max(1_000),
    /** Bytes of stored invoices a day, beyond which a merchant runs in the larger function. */
    largeBytes: z.int().min(1).optional(),
  }),
);
export type Run = z.infer<typeof runSchema>;

const date = z.lazy(() => z.string().refine(isDay, 'is not a date (YYYY-MM-DD)'));

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
    from: date.optional(),
    to: date.optional(),
    send: z.boolean().optional(),
    failedOf: z.union([resultsKey, z.array(resultsKey).min(1).max(2)]).optional(),
    planned: z.int().min(1).optional(),
    of: z.int().min(1).optional(),
    finished: z.string().regex(ITEMS_KEY, 'must be the key of items under plan/daily/').optional(),
    remember: z.boolean().optional(),
    run: runSchema.optional(),
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

/**
 * Another member beside the one that names items would have no effect. An execution adds `kind`, `remember`
 * and `run` to every event.
 * @throws {InvalidEventError} when there is such a member
 */
function assertAlone(
  name: string,
  { kind: _, remember: __, run: ___, ...others }: Partial<PlanMembers>,
): void {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new InvalidEventError(other, `does not go with "${name}"`);
}

/** @throws {InvalidEventError} when members do not go with the items that other members name */
function assertNamedItems(members: PlanMembers): void {
  const { kind, failedOf, of, planned, finished, ...others } = members;
  if (failedOf === undefined && of !== undefined) {
    throw new InvalidEventError('of', 'goes with "failedOf" only');
  }
  if (failedOf === undefined && planned !== undefined) {
    throw new InvalidEventError('planned', 'goes with "failedOf" only');
  }
  if (finished !== undefined) {
    assertAlone('finished', failedOf === undefined ? others : { failedOf, ...others });
    if (kind !== 'daily') throw new InvalidEventError('finished', `is not of the kind "${kind}"`);
  }
  if (failedOf === undefined) return;
  assertAlone('failedOf', others);
  if (![failedOf].flat().every((key) => key.startsWith(`plan/results/${kind}/`))) {
    throw new InvalidEventError('failedOf', `is not of the kind "${kind}"`);
  }
}

function assertOfKind({ kind, day, remember, run }: PlanMembers): void {
  if (kind !== 'daily' && run !== undefined)
    throw new InvalidEventError('run', 'goes with the kind "daily" only');
  if (kind !== 'statement') return;
  if (day !== undefined) throw new InvalidEventError('day', 'does not go with the kind "statement"');
  if (remember !== undefined)
    throw new InvalidEventError('remember', 'does not go with the kind "statement"');
}

interface PlanScope {
  /** `undefined`: all merchants. */
  merchants: string[] | undefined;
  send: boolean | undefined;
  /** How the items will be run. `undefined`: the caller does not say it, and may not run them. */
  run: Run | undefined;
  /** Whether this is not a plain tick of the schedule. The next tick then does not continue from it. */
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

export interface FailedEvent {
  is: 'failed';
  kind: 'daily' | 'alert' | 'statement';
  /** Keys of the round's manifests by Step Functions. The first round of the reports has two. */
  failedOf: readonly string[];
  /** How many items the round had. Its results must name as many. */
  planned: number | undefined;
  run: Run | undefined;
  /** How many items there were at first. The answer then says what percentage of them still fails. */
  of: number | undefined;
}

export interface FinishedEvent {
  is: 'finished';
  kind: 'daily';
  finished: string;
}

/** The events that are answered from the registry alone (docs/interfaces.md, 4.1 plan). */
export type DueEvent = TickEvent | DayEvent | BackfillEvent;

export type PlanEvent = DueEvent | StatementsEvent | FailedEvent | FinishedEvent;

function meaningOf(members: PlanMembers): PlanEvent {
  const { kind, merchants, send, scheduledTime, day, from, to, run } = members;
  const { failedOf, planned, of, finished } = members;
  if (failedOf !== undefined) return { is: 'failed', kind, failedOf: [failedOf].flat(), planned, of, run };
  if (finished !== undefined) return { is: 'finished', kind: 'daily', finished };
  if (kind === 'statement') {
    const byHand = scheduledTime === undefined || merchants !== undefined || send === false;
    return { is: 'statements', kind, merchants, send, run, byHand, scheduledTime };
  }
  const isNarrowed = merchants !== undefined || send === false || day !== undefined || from !== undefined;
  const scope = { merchants, send, run, byHand: isNarrowed || scheduledTime === undefined };
  if (from !== undefined && to !== undefined) {
    return { is: 'backfill', kind: 'daily', ...scope, from, to, scheduledTime };
  }
  if (day !== undefined) return { is: 'day', kind, ...scope, day, scheduledTime };
  if (kind === 'alert') return { is: 'day', kind, ...scope, day: 'today', scheduledTime };
  if (scheduledTime === undefined) return { is: 'day', kind, ...scope, day: 'yesterday', scheduledTime };
  const willRun = members.remember === true || run !== undefined;
  return { is: 'tick', kind, ...scope, byHand: isNarrowed || !willRun, scheduledTime };
}

/**
 * Reads the event of `plan` (docs/interfaces.md, 4.1 plan).
 * @throws {InvalidEventError} names the wrong member
 */
export function readPlanEvent(event: unknown): PlanEvent {
  const members = readEvent(eventSchema, event);
  assertNamedItems(members);
  assertRange(members);
  assertOfKind(members);
  return meaningOf(members);
}
