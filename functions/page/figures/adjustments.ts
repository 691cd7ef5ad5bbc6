import * as z from 'zod';
import { daySchema, type Day } from '#records/day/business-day.ts';
import { currencySchema, formatAmount, parseSum, sealedTypes } from '#records/money/money.ts';
import { periodSchema, type Period } from '#records/period/period.ts';
import type { Received } from '#records/figures/invoice-outcomes.ts';

/*
 * A closed statement never changes. What changes of its days afterwards is told by a later statement, as an adjustment: closed
 * statements and adjustments together always say what the newest pages of the days say.
 */

const { amount, countDifference } = sealedTypes('period');

/** What moved on a day, by the day it moved: decimal strings with three fraction digits. `null`: unknown. */
const movedSchema = z.lazy(() =>
  z.object({
    /** How many payments came in. */
    payments: countDifference.nullable(),
    received: amount.nullable(),
    refunded: amount.nullable(),
    charges: amount.nullable(),
    net: amount.nullable(),
  }),
);
export type Moved = z.infer<typeof movedSchema>;

export const MOVED = ['payments', 'received', 'refunded', 'charges', 'net'] as const;

/**
 * Why a day is adjusted. `day`: its page came later. `balance`: the net has become known, or is not known any more.
 * `reopened`: the statement has the change itself, and another one had told it, too.
 */
const REASONS = ['day', 'currency', 'payments', 'refunds', 'charges', 'balance', 'reopened'] as const;
type AdjustmentReason = (typeof REASONS)[number];

export const adjustmentSchema = z.lazy(() =>
  z.object({
    /** Of the closed statement. */
    period: periodSchema,
    day: daySchema,
    /** Of the day's page that says so now. */
    revision: z.int().min(1),
    currency: currencySchema,
    reasons: z.array(z.enum(REASONS)),
    /** As told so far, by the closed statement and the adjustments before. */
    was: movedSchema,
    is: movedSchema,
  }),
);
export type Adjustment = z.infer<typeof adjustmentSchema>;

/** A day's page, as far as adjustments go. */
interface MovedOn {
  day: Day;
  revision: number;
  net: Pick<Moved, 'received' | 'refunded' | 'charges' | 'net'>;
  received: Pick<Received, 'count'> | null;
}

/** A statement, as far as its adjustments go. Its days have their own currency where there are several, and it has none. */
interface Adjusted {
  period: Period;
  currency: string | null;
  days: readonly (MovedOn & { currency?: string | undefined })[];
}

interface Adjusting {
  adjustments?: readonly Adjustment[] | undefined;
}

const NOTHING: Moved = { payments: 0, received: '0.000', refunded: '0.000', charges: '0.000', net: '0.000' };

/** A day in one currency. After a change of currency, a day may be booked in two. */
interface Booked extends Pick<Adjustment, 'day' | 'currency' | 'revision'> {
  moved: Moved;
}

function bookedDay({ day, revision, net: sums, received: came }: MovedOn, currency: string): Booked {
  const { received, refunded, charges, net } = sums;
  const moved = { payments: came?.count ?? null, received, refunded, charges, net };
  return { day, currency, revision, moved };
}

function scaled(value: string | number): bigint {
  return typeof value === 'string' ? parseSum(value) : BigInt(value);
}

/** What an adjustment adds to a figure, in thousandths of money or as a count; `null` where one of the two is unknown. */
export function addedTo({ was, is }: Pick<Adjustment, 'was' | 'is'>, figure: keyof Moved): bigint | null {
  const [before, after] = [was[figure], is[figure]];
  return before === null || after === null ? null : scaled(after) - scaled(before);
}

/** What is unknown has no difference: then the adjustment says the figure itself. */
function withAdjustment(told: Moved, adjustment: Adjustment): Moved {
  const next = MOVED.map((figure) => {
    const [before, added] = [told[figure], addedTo(adjustment, figure)];
    if (before === null || added === null) return [figure, adjustment.is[figure]];
    const sum = scaled(before) + added;
    return [figure, figure === 'payments' ? Number(sum) : formatAmount(sum)];
  });
  return movedSchema.parse(Object.fromEntries(next));
}

type Books = Map<string, Booked>;

function booksOf(booked: readonly Booked[]): Books {
  return new Map(booked.map((one) => [`${one.day} ${one.currency}`, one]));
}

/** What a closed statement and its adjustments say. @param adjustments of any, in the order of their periods */
export function toldBooks({ days, currency, period }: Adjusted, adjustments: readonly Adjustment[]): Books {
  const told = booksOf(days.map((day) => bookedDay(day, day.currency ?? currency ?? '')));
  for (const adjustment of adjustments.filter((one) => one.period === period)) {
    const { day, revision, currency: of } = adjustment;
    const key = `${day} ${of}`;
    const moved = withAdjustment(told.get(key)?.moved ?? NOTHING, adjustment);
    told.set(key, { day, currency: of, revision, moved });
  }
  return told;
}

const FIGURE_REASONS = {
  payments: 'payments',
  received: 'payments',
  refunded: 'refunds',
  charges: 'charges',
} as const;

function reasonsOf(was: Moved, is: Moved): AdjustmentReason[] {
  const figures = MOVED.filter((figure) => was[figure] !== is[figure]);
  const reasons = figures.flatMap((figure) => (figure === 'net' ? [] : FIGURE_REASONS[figure]));
  return reasons.length === 0 ? ['balance'] : [...new Set(reasons)];
}

/**
 * What is still to be told of a closed statement: from what has been told so far to what the newest pages of its days say.
 * @param told adjustments of it by other statements, in the order of their periods
 * @param current the newest pages of days that may have changed; all others stay as told. `reopened`: the statement says all itself
 */
export function adjustmentsOf(
  statement: Adjusted,
  told: readonly Adjustment[],
  current: readonly (MovedOn & { currency: string })[] | 'reopened',
): Adjustment[] {
  const { period } = statement;
  const before = toldBooks(statement, told);
  const changed = new Set(current === 'reopened' ? [] : current.map(({ day }) => day));
  const after =
    current === 'reopened'
      ? toldBooks(statement, [])
      : booksOf([
          ...[...before.values()].filter(({ day }) => !changed.has(day)),
          ...current.map((day) => bookedDay(day, day.currency)),
        ]);
  const revisionsOf = (books: Books) => new Map([...books.values()].map((one) => [one.day, one.revision]));
  const [daysBefore, daysAfter] = [revisionsOf(before), revisionsOf(after)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key): Adjustment[] => {
    const [booked, now] = [before.get(key), after.get(key)];
    const [was, is] = [booked?.moved ?? NOTHING, now?.moved ?? NOTHING];
    const one = now ?? booked;
    if (one === undefined || MOVED.every((figure) => was[figure] === is[figure])) return [];
    const { day, currency } = one;
    const reasonsOfDay = (): AdjustmentReason[] => {
      if (current === 'reopened') return ['reopened'];
      if (booked !== undefined && now !== undefined) return reasonsOf(was, is);
      return [daysBefore.has(day) && daysAfter.has(day) ? 'currency' : 'day'];
    };
    const revision = daysAfter.get(day) ?? one.revision;
    return [{ period, day, revision, currency, reasons: reasonsOfDay(), was, is }];
  });
}

/** Whether two statements tell different adjustments; by which page they know it does not matter. */
export function adjustsOtherwise(one: Adjusting, other: Adjusting): boolean {
  const shown = ({ adjustments = [] }: Adjusting) =>
    JSON.stringify(adjustments.map(({ day, currency, was, is }) => [day, currency, was, is]));
  return shown(one) !== shown(other);
}
