import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import { currencySchema, sealed } from '../money/sealed.ts';
import { alertItemSchema } from './alert-item.ts';
import { UNITS } from './measure.ts';

/** The places of a rule. `no-data` is not a place: a rule without data keeps its place. */
export const RULE_PLACES = ['ok', 'pending', 'firing'] as const;
/** The place of a rule. */
export type RulePlace = (typeof RULE_PLACES)[number];

/** How serious a rule can be. */
export const SEVERITIES = ['info', 'warning', 'critical'] as const;
/** How serious a rule is. */
export type Severity = (typeof SEVERITIES)[number];

/** The side of its bound that a rule watches. */
const sideSchema = z.lazy(() => z.enum(['above', 'below']));
/** The side of its bound that a rule watches. */
export type Side = z.infer<typeof sideSchema>;

/** ISO 8601 in UTC. With an invalid time no tick would be later, so no check would ever count again. */
const timeSchema = z.lazy(() => z.iso.datetime());

/**
 * How the value went while a rule fires: what it was when the firing began, and the worst value since. The
 * worst is the highest for a bound above and the lowest for a bound below.
 */
const courseSchema = z.lazy(() => z.object({ began: sealed.amount, worst: sealed.amount }));
/** How the value went while a rule fires. */
export type Course = z.infer<typeof courseSchema>;

/** States of earlier versions do not have it: then it is not known. */
const courseOrNull = z.lazy(() => courseSchema.nullable().default(null));

/** Values are decimal strings in the measure's unit with three fraction digits. */
export const ruleStateSchema = z.lazy(() =>
  z.object({
    /**
     * The measure and side of this state. A rule with the same name and another measure or side is another
     * rule.
     */
    measure: z.string(),
    side: sideSchema,
    place: z.enum(RULE_PLACES),
    /** Checks in a row whose value was out of bounds before it fired. `forChecks` counts these. */
    checks: sealed.count,
    /** When the current firing began, `null` when the rule does not fire. */
    firingSince: timeSchema.nullable(),
    /**
     * What recipients were last notified of: since when the rule fires, the day of the figures (`null`
     * without a day), and when the mail was sent. `null` when nothing is open.
     */
    announced: z.object({ since: timeSchema, at: timeSchema, day: daySchema.nullable() }).nullable(),
    /** When the rule came back while it was muted. The mail about it is still to be sent. */
    cameBack: z.object({ at: timeSchema, value: sealed.amount, course: courseOrNull }).nullable(),
    /** `null` when the rule does not fire. */
    course: courseOrNull,
    /** The last known value. */
    value: sealed.amount.nullable(),
    /** Since when the value is unknown, `null` when it is known. */
    noDataSince: timeSchema.nullable(),
  }),
);
/** The state of one rule. */
export type RuleState = z.infer<typeof ruleStateSchema>;

/**
 * What a mail says about one rule. Lines of earlier versions do not have the members with a default: the mail
 * then leaves out what they say.
 */
export const alertLineSchema = z.lazy(() =>
  z.object({
    rule: z.string(),
    says: z.enum(['firing', 'still firing', 'resolved']),
    severity: z.enum(SEVERITIES),
    measure: z.string(),
    unit: z.enum(UNITS),
    /** The value that fires, or the value at which it came back. */
    value: sealed.amount,
    bound: z.object({ side: sideSchema, at: sealed.amount }),
    since: timeSchema,
    /** When it came back, `null` while it fires. */
    until: timeSchema.nullable(),
    /** The day of the figure, `null` for a measure that is not of one day. */
    day: daySchema.nullable().default(null),
    /** How many days ahead the measure looks, `null` for a measure that does not. */
    days: sealed.count.nullable().default(null),
    course: courseOrNull,
    /** The merchant's own words of the rule. */
    title: z.string().nullable().default(null),
    note: z.string().nullable().default(null),
    /** What to look at next. */
    items: z.array(alertItemSchema).default([]),
    /** Of its values, when they are amounts. Lines of earlier versions do not have it: the mail then shows the registry's. */
    currency: currencySchema.optional(),
  }),
);
/** What a mail says about one rule. */
export type AlertLine = z.infer<typeof alertLineSchema>;

/**
 * All of a merchant's rules in one object (docs/interfaces.md, 6.5 Rule states), so that one conditional
 * write moves them together.
 */
export const alertStateSchema = z.lazy(() =>
  z.object({
    /** The merchant's day of the figures. */
    day: daySchema,
    /** The last tick that counted. A check that is not later does not count. */
    tick: timeSchema,
    /** By the rule's name. A name may be one that every object has as a member, so use `Object.hasOwn`. */
    rules: z.record(z.string(), ruleStateSchema),
    /** Of the amounts in `rules`, and of their bounds. States of earlier versions do not have it. */
    currency: currencySchema.optional(),
    /**
     * The pending mail of the last check, written together with the states that it is about. Each later check
     * sends it if its ledger does not yet say what became of it. `check` names the ledger.
     */
    owed: z.object({ check: z.string(), day: daySchema, lines: z.array(alertLineSchema) }).nullable(),
  }),
);
/** The state of all of a merchant's rules. */
export type AlertState = z.infer<typeof alertStateSchema>;

/** A mail that a check has to send and has not sent yet, as it is in the state. */
export type PendingAlertMail = NonNullable<AlertState['owed']>;
