import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import { currencySchema, sealed } from '#records/money/money.ts';

export const UNITS = ['count', 'percent', 'amount', 'hours'] as const;
export type Unit = (typeof UNITS)[number];

export const SEVERITIES = ['info', 'warning', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The order of a mail. */
const STATES = ['firing', 'still firing', 'resolved'] as const;

export const sideSchema = z.lazy(() => z.enum(['above', 'below']));
export type Side = z.infer<typeof sideSchema>;

/** ISO 8601 in UTC. With an invalid time no tick would be later, so no check would ever count again. */
export const timeSchema = z.lazy(() => z.iso.datetime());

/** What it was when the firing began, and the worst since on the rule's side. */
const courseSchema = z.lazy(() => z.object({ began: sealed.amount, worst: sealed.amount }));
export type Course = z.infer<typeof courseSchema>;

/** States of earlier versions do not have it: then it is not known. */
export const courseOrNull = z.lazy(() => courseSchema.nullable().default(null));

const alertItemSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** `null` when it is redacted or empty. */
    reference: z.string().nullable(),
    amount: sealed.amount,
    /** `YYYY-MM-DD`. `null` for a refund, and for a date that is not in the calendar. */
    expiresOn: daySchema.nullable(),
    /** Of the amount. Items of earlier versions do not have it: the mail then shows the registry's. */
    currency: currencySchema.optional(),
  }),
);
export type AlertItem = z.infer<typeof alertItemSchema>;

/** Lines of earlier versions lack the members with a default: the mail leaves out what they say. */
export const alertLineSchema = z.lazy(() =>
  z.object({
    rule: z.string(),
    says: z.enum(STATES),
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
    /** What the value is a share of: `average` of so many earlier days. Lines of other measures do not have it. */
    usual: z
      .object({
        day: daySchema,
        amount: sealed.amount,
        /** `null` without a day. */
        average: sealed.amount.nullable(),
        days: sealed.count,
        /** `HH:MM` up to which all of it counts; `null` for whole days. */
        by: z.string().nullable(),
        currency: currencySchema,
      })
      .optional(),
    /** Of its values, when they are amounts. Lines of earlier versions do not have it. */
    currency: currencySchema.optional(),
  }),
);
export type AlertLine = z.infer<typeof alertLineSchema>;

/** Those that fire first, and of these the most severe. */
export function worstFirst(lines: readonly AlertLine[]): AlertLine[] {
  const place = ({ says, severity }: AlertLine) =>
    STATES.indexOf(says) * SEVERITIES.length - SEVERITIES.indexOf(severity);
  return [...lines].sort((one, other) => place(one) - place(other));
}
