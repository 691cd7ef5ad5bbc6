import * as z from 'zod';

/** What a sealed object is added up from: the rows of a day, the days of a period, or the merchants of a group. */
export type Extent = 'day' | 'period' | 'group';

/**
 * The largest figures of each: of a count, and the digits of an amount before its point. Days are added up to periods,
 * and periods to groups, so a sum of the largest figures of one always fits the next. A day has room for ten thousand
 * million amounts of the contract, a period for 31 days with their charges, and a group for 20,000 merchants.
 */
const LARGEST: Readonly<Record<Extent, { count: number; digits: number }>> = {
  day: { count: 10_000_000_000, digits: 40 },
  period: { count: 400_000_000_000, digits: 44 },
  group: { count: Number.MAX_SAFE_INTEGER, digits: 60 },
};

/** The largest count of a day. */
export const LARGEST_COUNT_OF_DAY = LARGEST.day.count;

/**
 * The types of every count and amount in a stored object. What they accept can be added up with others of its extent,
 * and printed.
 */
export function sealedTypes(extent: Extent) {
  const { count, digits } = LARGEST[extent];
  return {
    /** How many there are of something. */
    count: z.lazy(() => z.int().min(0).max(count)),
    /** A count less others. It is below zero when the service contradicts itself. */
    countDifference: z.lazy(() => z.int().min(-count).max(count)),
    /** A decimal string with three fraction digits. Invoices and refunds may have negative amounts, and so may sums. */
    amount: z.lazy(() =>
      z
        .string()
        .regex(
          new RegExp(`^-?\\d{1,${digits}}\\.\\d{3}$`),
          `must be a decimal string with three fraction digits, and at most ${digits} before them`,
        ),
    ),
  };
}

/** The types of figures that are only shown or compared, whatever object they come from. */
export const sealed = sealedTypes('group');

/** A currency: every such code can be printed. */
export const currencySchema = z.lazy(() =>
  z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of three capitals'),
);
