import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import { UNITS } from './measure.ts';

/** Where a rule stands. `no-data` is not a place to stand: it holds the place where the rule stood. */
export const RULE_PLACES = ['ok', 'pending', 'firing'] as const;
export type RulePlace = (typeof RULE_PLACES)[number];

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Which side of its bound a rule watches. */
const sideSchema = z.lazy(() => z.enum(['above', 'below']));
export type Side = z.infer<typeof sideSchema>;

/** ISO 8601 in UTC. What is no time would not fail: no tick is later than it, and so no check would ever count again. */
const timeSchema = z.lazy(() => z.iso.datetime());

/** Values are decimal strings of the measure's unit with three fraction digits. */
export const ruleStateSchema = z.lazy(() =>
  z.object({
    /** The measure and side that this is the state of: under the same name, another of them is another rule. */
    measure: z.string(),
    side: sideSchema,
    place: z.enum(RULE_PLACES),
    /** Checks in a row whose value was out of bounds before it fired; counts towards `forChecks`. */
    checks: z.int().min(0),
    /** When the present firing began, `null` when the rule does not fire. */
    firingSince: timeSchema.nullable(),
    /**
     * What recipients were last told: that it fires, since when, of which day's figures (`null`: of no one day), and when
     * they were told; `null` when nothing is open.
     */
    announced: z.object({ since: timeSchema, at: timeSchema, day: z.string().nullable() }).nullable(),
    /** When the rule came back while nobody could be told (muted), for the mail that is still due. */
    cameBack: z.object({ at: timeSchema, value: z.string() }).nullable(),
    /** The last value that was known. */
    value: z.string().nullable(),
    /** Since when the value cannot be known, `null` when it is. */
    noDataSince: timeSchema.nullable(),
  }),
);
export type RuleState = z.infer<typeof ruleStateSchema>;

/** What a mail says of one rule. */
export const alertLineSchema = z.lazy(() =>
  z.object({
    rule: z.string(),
    says: z.enum(['firing', 'still firing', 'resolved']),
    severity: z.enum(SEVERITIES),
    measure: z.string(),
    unit: z.enum(UNITS),
    /** The value that fires, or the one that it came back at. */
    value: z.string(),
    bound: z.object({ side: sideSchema, at: z.string() }),
    since: timeSchema,
    /** When it came back; `null` while it fires. */
    until: timeSchema.nullable(),
  }),
);
export type AlertLine = z.infer<typeof alertLineSchema>;

/** All of a merchant's rules in one object, so that one conditional write moves them together. */
export const alertStateSchema = z.lazy(() =>
  z.object({
    /** The merchant's day that the day's figures were of. */
    day: daySchema,
    /** The last tick that was counted. One not later than it is ignored. */
    tick: timeSchema,
    /** By the rule's name. A name may be that of a member which every object has: look with `Object.hasOwn`. */
    rules: z.record(z.string(), ruleStateSchema),
    /**
     * The mail that the last check owes, written together with the states that it tells of: whoever finds it here sees to
     * it that its ledger says what became of it. `check` names the ledger.
     */
    owed: z.object({ check: z.string(), day: daySchema, lines: z.array(alertLineSchema) }).nullable(),
  }),
);
export type AlertState = z.infer<typeof alertStateSchema>;

/** A mail that a check has to send and has not sent yet, as the state names it. */
export type PendingAlertMail = NonNullable<AlertState['owed']>;
