import * as z from 'zod';
import { daySchema, timeZoneSchema } from '#records/day/business-day.ts';
import { breakdownSchema } from '#records/figures/breakdown.ts';
import { NET_UNKNOWN, periodNetSchema } from '#records/figures/day-net.ts';
import type { Net } from '#records/figures/day-net.ts';
import { PERIOD_FIGURES } from '#records/figures/figure-schemas.ts';
import { addSummed, currencySchema, sealedTypes } from '#records/money/money.ts';
import { periodSchema } from '#records/period/period.ts';
import type { Day } from '#records/day/business-day.ts';
import type { Figures } from '#records/figures/figure-schemas.ts';
import { receivedSchema } from '#records/figures/invoice-outcomes.ts';
import { ofEachState } from '#records/figures/invoice-state-totals.ts';
import { issuedInPeriodSchema, openInvoicesSchema } from './open-invoices.ts';

const { count, countDifference, amount } = sealedTypes('period');

/** A net of an earlier version is unknown: it subtracts refunds of one time from invoices of another. */
export function netThatCameIn(net: Net): Net {
  if (net.basis === 'cameIn') return net;
  const unknown = NET_UNKNOWN.filter((why) => why === 'payments' || net.unknown.includes(why));
  return { ...net, basis: 'cameIn', received: null, charges: null, net: null, unknown };
}

/** A `null` is unknown, and never means zero. */
export const periodFiguresSchema = z.lazy(() =>
  z.object({
    counts: PERIOD_FIGURES.counts,
    /** `null` when the registry named no states on one of the days. */
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refunds,
    net: periodNetSchema,
    /** `null` when it is unknown of one of the days. */
    breakdown: breakdownSchema.nullable(),
  }),
);
export type PeriodFigures = z.infer<typeof periodFiguresSchema>;

/** What came in, and what became of the invoices: `null` when unknown on a day, or of an earlier version. */
export const paymentsSchema = z.lazy(() => {
  const { openBefore, settled, expired, openAfter, ageing } = openInvoicesSchema.unwrap().shape;
  return z.object({
    /** The sum of the days'. */
    received: receivedSchema.nullable().default(null),
    issued: issuedInPeriodSchema.nullable().default(null),
    /** These five are known together; `null` also when unknown on a day before. */
    openBefore: openBefore.nullable().default(null),
    settled: settled.nullable().default(null),
    expired: expired.nullable().default(null),
    openAfter: openAfter.nullable().default(null),
    ageing: ageing.nullable().default(null),
  });
});
export type PaymentsOfPeriod = z.infer<typeof paymentsSchema>;

/** The sums of a period's days of one currency. Sums of different currencies are never added. */
export const currencyOfPeriodSchema = z.lazy(() =>
  periodFiguresSchema
    .unwrap()
    .omit({ breakdown: true })
    .extend({ days: count, ...paymentsSchema.unwrap().shape }),
);

export const comparedPeriodSchema = z.lazy(() =>
  z.object({
    period: periodSchema,
    /** Its first and last day. Statements of earlier versions do not have them. */
    from: daySchema.optional(),
    to: daySchema.optional(),
    /** Of its statement. `null` in statements of earlier versions: added up from the period's days. */
    revision: z.int().min(1).nullable(),
    /**
     * When that was sealed (ISO 8601, UTC): no more days after its end than the statement that names it. Those of
     * earlier versions do not have it, and took the newest.
     */
    sealedAt: z.iso.datetime().optional(),
    final: z.boolean(),
    counts: PERIOD_FIGURES.counts,
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refundTotal,
    /** Approved ones. Statements of earlier versions do not have it. */
    refunded: amount.nullable().optional(),
    received: amount.nullable(),
    net: amount.nullable(),
  }),
);
export type ComparedPeriod = z.infer<typeof comparedPeriodSchema>;

export const statementDaySchema = z.lazy(() =>
  z.object({
    day: daySchema,
    revision: z.int().min(1),
    balanced: z.boolean(),
    ...periodFiguresSchema.unwrap().omit({ breakdown: true }).shape,
    /** What came in on it. `null`: unknown, or of an earlier version. */
    received: receivedSchema.unwrap().omit({ byMethod: true, charges: true }).nullable().default(null),
    /** Only where there are several. */
    currency: currencySchema.optional(),
    /** The page does not say its currency, and got the registry's. */
    isAssumed: z.boolean().optional(),
  }),
);
export type StatementDay = z.infer<typeof statementDaySchema>;

/** What moved on a day, by the day it moved: decimal strings with three fraction digits. `null`: unknown. */
export const movedSchema = z.lazy(() => {
  const { received, refunded, charges, net } = periodNetSchema.unwrap().shape;
  /** `payments`: how many came in. */
  return z.object({ payments: countDifference.nullable(), received, refunded, charges, net });
});
export type Moved = z.infer<typeof movedSchema>;

/** What a later statement tells of a day of a closed one. */
export const adjustmentSchema = z.lazy(() =>
  z.object({
    /** Of the closed statement. */
    period: periodSchema,
    day: daySchema,
    /** Of the day's page that says so now. */
    revision: z.int().min(1),
    currency: currencySchema,
    /**
     * `day`: its page came later. `balance`: the net has become known, or is not known any more. `reopened`: the statement has
     * the change itself, and another one had told it, too.
     */
    reasons: z.array(z.enum(['day', 'currency', 'payments', 'refunds', 'charges', 'balance', 'reopened'])),
    /** As told so far, by the closed statement and the adjustments before. */
    was: movedSchema,
    is: movedSchema,
  }),
);
export type Adjustment = z.infer<typeof adjustmentSchema>;

/** A sealed statement (docs/interfaces.md, 6 Objects). Times are ISO 8601 in UTC, sums have three fraction digits. */
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
    ...periodFiguresSchema.unwrap().shape,
    /** Each `null` where there are several currencies: `byCurrency` has them. */
    ...paymentsSchema.unwrap().shape,
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
    /** When it was closed (ISO 8601, UTC): no later revision changes it. Left out: it is open. */
    closedAt: z.iso.datetime().optional(),
    /** When an earlier revision, which was closed, was reopened. */
    reopenedAt: z.iso.datetime().optional(),
    /** What it tells of closed statements before it. It is in none of its own sums. Left out: nothing. */
    adjustments: z.array(adjustmentSchema).optional(),
  }),
);
export type Statement = z.infer<typeof statementSchema>;

/** Without the days: a group reads thousands of statements, and most of each is its days. */
const addedStatement = z.lazy(() =>
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
export type AddedStatement = z.infer<typeof addedStatement>;

/** In the sums of earlier versions, what came in is unknown. */
export function currenciesThatCameIn<Sum extends { net: Net }>(byCurrency: Readonly<Record<string, Sum>>) {
  const sums = Object.entries(byCurrency);
  return Object.fromEntries(
    sums.map(([currency, sum]) => [currency, { ...sum, net: netThatCameIn(sum.net) }]),
  );
}

function withWhatCameIn<Added extends AddedStatement>(statement: Added): Added {
  const { net, byCurrency } = statement;
  return {
    ...statement,
    net: netThatCameIn(net),
    ...(byCurrency !== undefined && { byCurrency: currenciesThatCameIn(byCurrency) }),
  };
}

/** {@link statementSchema}, of any version. */
export const storedStatementSchema = z.lazy(() =>
  statementSchema.unwrap().transform((statement): Statement => ({
    ...withWhatCameIn(statement),
    days: statement.days.map((day) => ({ ...day, net: netThatCameIn(day.net) })),
  })),
);

/** What a group adds up of a statement, of any version. */
export const addedStatementSchema = z.lazy(() => addedStatement.unwrap().transform(withWhatCameIn));

export function comparedPeriod(statement: Statement): ComparedPeriod {
  const { received, refunded, net } = statement.net;
  return comparedPeriodSchema.parse({ ...statement, received, refunded, net });
}

/**
 * The figures that a day's correction compares, too. What is `balanced` of a day is `final` of a statement. Invoices
 * count as they stood when the period was over: what is paid later is in the next one.
 */
export function figuresOfStatement({ counts, amounts, refunds, final, issued }: Statement): Figures {
  if (issued === null) return { counts, amounts, refunds, balanced: final };
  const { count: total, open, expired, ...settled } = issued;
  const sums = { ...settled, notPaid: addSummed([open, expired]) };
  return {
    counts: { total, ...ofEachState((state) => sums[state].count) },
    amounts: ofEachState((state) => sums[state].sum),
    refunds,
    balanced: final,
  };
}

/** Whether nothing happened in the period, that is certain, and it tells nothing of closed ones. */
export function isEmptyStatement({ final, counts, refunds, received, adjustments }: Statement): boolean {
  return (
    final &&
    adjustments === undefined &&
    counts.total === 0 &&
    refunds.count === 0 &&
    (received?.count ?? 0) === 0
  );
}

/** Of its days, as far as it says them. */
export function dayCurrencies({ days, currency: only }: Statement): ReadonlyMap<Day, string> {
  return new Map(days.flatMap(({ day, currency = only }) => (currency === null ? [] : [[day, currency]])));
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
