import * as z from 'zod';

export type Extent = 'day' | 'period' | 'group';

/**
 * Days are added up to periods, and periods to groups: a sum of the largest figures of one fits the next. A
 * day has room for 10,000 million amounts, a period for 31 days with charges, a group for 20,000 merchants.
 */
const LARGEST: Readonly<Record<Extent, { count: number; digits: number }>> = {
  day: { count: 10_000_000_000, digits: 40 },
  period: { count: 400_000_000_000, digits: 44 },
  group: { count: Number.MAX_SAFE_INTEGER, digits: 60 },
};

export const LARGEST_COUNT_OF_DAY = LARGEST.day.count;

/** What these types of stored figures accept can be added up with others of its extent, and printed. */
export function sealedTypes(extent: Extent) {
  const { count, digits } = LARGEST[extent];
  return {
    count: z.lazy(() => z.int().min(0).max(count)),
    /** Below zero when the service contradicts itself. */
    countDifference: z.lazy(() => z.int().min(-count).max(count)),
    /** A decimal string with three fraction digits, perhaps negative. */
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

export const sealed = sealedTypes('group');

export const currencySchema = z.lazy(() =>
  z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of three capitals'),
);
