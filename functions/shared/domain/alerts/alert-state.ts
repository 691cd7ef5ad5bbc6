import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import { currencySchema, sealed } from '../money/sealed.ts';
import { alertItemSchema } from './alert-item.ts';
import { UNITS } from './measure.ts';

export const RULE_PLACES = ['ok', 'pending', 'firing'] as const;
export type RulePlace = (typeof RULE_PLACES)[number];

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

const sideSchema = z.lazy(() => z.enum(['above', 'below']));
export type Side = z.infer<typeof sideSchema>;

/** ISO 8601 in UTC. With an invalid time no tick would be later, so no check would ever count again. */
const timeSchema = z.lazy(() => z.iso.datetime());

/** What it was when the firing began, and the worst since on the rule's side. */
const courseSchema = z.lazy(() => z.object({ began: sealed.amount, worst: sealed.amount }));
export type Course = z.infer<typeof courseSchema>;

/** States of earlier versions do not have it: then it is not known. */
const courseOrNull = z.lazy(() => courseSchema.nullable().default(null));

/** Values are decimal strings in the measure's unit with three fraction digits. */
export const ruleStateSchema = z.lazy(() =>
  z.object({
    /** With another measure or side, the same name is another rule. */
    measure: z.string(),
    side: sideSchema,
    place: z.enum(RULE_PLACES),
    checks: sealed.count,
    /** When the current firing began, `null` when the rule does not fire. */
    firingSince: timeSchema.nullable(),
    /**
     * What recipients were last notified of; `null` when nothing is open. `day`: of the figures, `null`
     * without one.
     */
    announced: z.object({ since: timeSchema, at: timeSchema, day: daySchema.nullable() }).nullable(),
    cameBack: z.object({ at: timeSchema, value: sealed.amount, course: courseOrNull }).nullable(),
    course: courseOrNull,
    value: sealed.amount.nullable(),
    /** Since when the value is unknown, `null` when it is known. */
    noDataSince: timeSchema.nullable(),
  }),
);
export type RuleState = z.infer<typeof ruleStateSchema>;

/** Lines of earlier versions lack the members with a default: the mail leaves out what they say. */
export const alertLineSchema = z.lazy(() =>
  z.object({
    rule: z.string(),
    says: z.enum(['firing', 'still firing', 'resolved']),
    severity: z.enum(SEVERITIES),
    measure: z.string(),
    unit: z.enum(UNITS),
    value: sealed.amount,
    bound: z.object({ side: sideSchema, at: sealed.amount }),
    since: timeSchema,
    until: timeSchema.nullable(),
    /** The day of the figure, `null` for a measure that is not of one day. */
    day: daySchema.nullable().default(null),
    /** `null` for a measure that does not look ahead. */
    days: sealed.count.nullable().default(null),
    course: courseOrNull,
    title: z.string().nullable().default(null),
    note: z.string().nullable().default(null),
    items: z.array(alertItemSchema).default([]),
    /** Of its values, when they are amounts. Lines of earlier versions do not have it. */
    currency: currencySchema.optional(),
  }),
);
export type AlertLine = z.infer<typeof alertLineSchema>;

/**
 * One object (docs/interfaces.md, 6.5 Rule states), so that one conditional write moves all rules together.
 */
export const alertStateSchema = z.lazy(() =>
  z.object({
    day: daySchema,
    /** The last tick that counted. A check that is not later does not count. */
    tick: timeSchema,
    /** A name may be one that every object has as a member, so use `Object.hasOwn`. */
    rules: z.record(z.string(), ruleStateSchema),
    /** Of the amounts in `rules`, and of their bounds. States of earlier versions do not have it. */
    currency: currencySchema.optional(),
    /**
     * The pending mail of the last check, written with the states that it is about. Each later check sends it
     * until its ledger says what became of it. `check` names the ledger.
     */
    owed: z.object({ check: z.string(), day: daySchema, lines: z.array(alertLineSchema) }).nullable(),
  }),
);
export type AlertState = z.infer<typeof alertStateSchema>;

export type PendingAlertMail = NonNullable<AlertState['owed']>;
