import * as z from 'zod';
import { daySchema, timeZoneSchema } from '../day/business-day.ts';
import { PERIOD_FIGURES } from '../figures/figures.ts';
import { breakdownSchema } from '../figures/breakdown.ts';
import { currencySchema } from '../money/sealed.ts';
import { periodSchema } from '../period/period.ts';
import { comparedPeriodSchema, currencyOfPeriodSchema, periodNetSchema } from './period-figures.ts';

/** One sealed day of a statement, with the revision that was summed and its figures. */
export const statementDaySchema = z.lazy(() =>
  z.object({
    day: daySchema,
    revision: z.int().min(1),
    balanced: z.boolean(),
    counts: PERIOD_FIGURES.counts,
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refunds,
    net: periodNetSchema,
    /** Only where the statement has days of several currencies. Else they are all of the statement's. */
    currency: currencySchema.optional(),
    /** Whether the page does not say its currency, and got the registry's. Only beside `currency`. */
    isAssumed: z.boolean().optional(),
  }),
);
/** One sealed day of a statement. */
export type StatementDay = z.infer<typeof statementDaySchema>;

/**
 * A sealed statement (docs/interfaces.md, 6 Objects): a merchant's week or month, added up from sealed days. Times are ISO
 * 8601 in UTC. Sums are decimal strings with three fraction digits.
 */
export const statementSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    period: periodSchema,
    from: daySchema,
    to: daySchema,
    revision: z.int().min(1),
    /** Of all amounts. `null`: its days are of several currencies, so that no amount is added up. `byCurrency` has the sums. */
    currency: currencySchema.nullable(),
    sealedAt: z.iso.datetime(),
    /** When the rows of the oldest and of the newest page were read. `null` without a page. */
    asOf: z.object({ oldest: z.iso.datetime(), newest: z.iso.datetime() }).nullable(),
    scheduledTime: z.string().nullable(),
    /** Whether every expected day is sealed and balanced. A statement that is not final is provisional. */
    final: z.boolean(),
    /** The pages that were added up, in order. */
    days: z.array(statementDaySchema).max(31),
    /** Expected days without a page. Days before the merchant's `reportFrom` are not expected. */
    missing: z.array(daySchema).max(31),
    /** Days whose page does not balance. */
    unbalanced: z.array(daySchema).max(31),
    counts: PERIOD_FIGURES.counts,
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refunds,
    net: periodNetSchema,
    breakdown: breakdownSchema.nullable(),
    /** The period before, and the same one of the year before, as their statements stood. `null` where there is none. */
    before: comparedPeriodSchema.nullable(),
    lastYear: comparedPeriodSchema.nullable(),
    /** Of everything that the statement says of the period (hex). Comparisons and times are not part of it. */
    digest: z.string(),
    /** The key of the revision before, `null` for the first. */
    previous: z.string().nullable(),
    /** The sums of each currency. Only where there are several. */
    byCurrency: z.record(currencySchema, currencyOfPeriodSchema).optional(),
    /** The merchant's zone when it was sealed: its times are shown in it. Statements of earlier versions do not have it. */
    timeZone: timeZoneSchema.optional(),
  }),
);
/** A sealed statement of a merchant. */
export type Statement = z.infer<typeof statementSchema>;

/**
 * The parts of a statement that a group adds up. A group reads thousands of statements, and most of each is its days: they
 * are left out.
 */
export const addedStatementSchema = z.lazy(() =>
  statementSchema.unwrap().pick({
    merchantCode: true,
    period: true,
    from: true,
    to: true,
    revision: true,
    currency: true,
    final: true,
    unbalanced: true,
    counts: true,
    amounts: true,
    refunds: true,
    net: true,
    before: true,
    previous: true,
    byCurrency: true,
  }),
);
/** The parts of a statement that a group adds up. */
export type AddedStatement = z.infer<typeof addedStatementSchema>;
