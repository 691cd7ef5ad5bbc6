import * as z from 'zod';
import { daySchema, timeZoneSchema } from '#records/day/business-day.ts';
import { PERIOD_FIGURES } from '#records/figures/figure-schemas.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import { breakdownSchema } from '#records/figures/breakdown.ts';
import { currencySchema } from '#records/money/money.ts';
import { periodSchema } from '#records/period/period.ts';
import { comparedPeriodSchema, currencyOfPeriodSchema, periodNetSchema } from './period-figures.ts';
import type { ComparedPeriod } from './period-figures.ts';

export const statementDaySchema = z.lazy(() =>
  z.object({
    day: daySchema,
    revision: z.int().min(1),
    balanced: z.boolean(),
    counts: PERIOD_FIGURES.counts,
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refunds,
    net: periodNetSchema,
    /** Only where there are several. */
    currency: currencySchema.optional(),
    /** The page does not say its currency, and got the registry's. */
    isAssumed: z.boolean().optional(),
  }),
);
export type StatementDay = z.infer<typeof statementDaySchema>;

/**
 * A sealed statement (docs/interfaces.md, 6 Objects). Times are ISO 8601 in UTC, sums decimal strings with
 * three fraction digits.
 */
export const statementSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    period: periodSchema,
    from: daySchema,
    to: daySchema,
    revision: z.int().min(1),
    /** `null`: its days are of several, and `byCurrency` has the sums. */
    currency: currencySchema.nullable(),
    sealedAt: z.iso.datetime(),
    /** When rows were read. `null` without a page. */
    asOf: z.object({ oldest: z.iso.datetime(), newest: z.iso.datetime() }).nullable(),
    scheduledTime: z.string().nullable(),
    /** Every expected day is sealed and balanced. */
    final: z.boolean(),
    days: z.array(statementDaySchema).max(31),
    /** Days before `reportFrom` are not expected. */
    missing: z.array(daySchema).max(31),
    /** Days whose page does not balance. */
    unbalanced: z.array(daySchema).max(31),
    counts: PERIOD_FIGURES.counts,
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refunds,
    net: periodNetSchema,
    breakdown: breakdownSchema.nullable(),
    /** As their statements stood; `null` where there is none. */
    before: comparedPeriodSchema.nullable(),
    lastYear: comparedPeriodSchema.nullable(),
    /** Hex, of everything that it says of the period, without comparisons and times. */
    digest: z.string(),
    /** The key of the revision before, `null` for the first. */
    previous: z.string().nullable(),
    /** Only where there are several. */
    byCurrency: z.record(currencySchema, currencyOfPeriodSchema).optional(),
    /** Its times are shown in it. Earlier versions do not have it. */
    timeZone: timeZoneSchema.optional(),
  }),
);
export type Statement = z.infer<typeof statementSchema>;

/** A group reads thousands of statements, and most of each is its days: they are left out. */
export const addedStatementSchema = z.lazy(() =>
  statementSchema.unwrap().omit({
    sealedAt: true,
    asOf: true,
    scheduledTime: true,
    days: true,
    missing: true,
    breakdown: true,
    lastYear: true,
    digest: true,
    timeZone: true,
  }),
);
export type AddedStatement = z.infer<typeof addedStatementSchema>;

export function comparedPeriod(statement: Statement): ComparedPeriod {
  const { period, from, to, revision, sealedAt, final, counts, amounts, refunds, net } = statement;
  return {
    period,
    from,
    to,
    revision,
    sealedAt,
    final,
    counts,
    amounts,
    refunds: { count: refunds.count, total: refunds.total },
    received: net.received,
    net: net.net,
  };
}

/** The figures that a day's correction compares, too. What is `balanced` of a day is `final` of a statement. */
export function figuresOfStatement({ counts, amounts, refunds, final }: Statement): Figures {
  return { counts, amounts, refunds, balanced: final };
}

/** Whether nothing happened in the period, and that is certain. */
export function isEmptyStatement({ final, counts, refunds }: Statement): boolean {
  return final && counts.total === 0 && refunds.count === 0;
}

export interface DayInOrder {
  day: Day;
  /** None of a missing day. */
  page?: StatementDay;
}

/** The days of the period that are sealed or missing, in their order. */
export function daysInOrder({ days, missing }: Pick<Statement, 'days' | 'missing'>): DayInOrder[] {
  return [...days.map((page) => ({ day: page.day, page })), ...missing.map((day) => ({ day }))].sort(
    (one, other) => (one.day < other.day ? -1 : 1),
  );
}
