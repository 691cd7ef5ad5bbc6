import * as z from 'zod';
import { breakdownSchema } from '../figures/breakdown.ts';
import { CHARGE_COLUMNS } from '../figures/charges.ts';
import { amountsSchema, countsSchema, refundFiguresSchema } from '../figures/figures.ts';
import { SUM_PATTERN } from '../money/money.ts';

const sum = z.lazy(() =>
  z.string().regex(SUM_PATTERN, 'must be a decimal string with three fraction digits'),
);

/** Why a net is unknown, as for a day ({@link NetUnknown}). */
export const NET_UNKNOWN = ['unbalanced', 'states', 'refunds', 'charges'] as const;

/** What came in, what went back, and what is left. Decimal strings with three fraction digits. */
export const netSchema = z.lazy(() =>
  z.object({
    /** The sum of the paid invoices. `null` when it is unknown on one of the days. */
    received: sum.nullable(),
    /** The approved refunds, by the date of the refund. `null` when it is unknown on one of the days. */
    refunded: sum.nullable(),
    /** Refunds that were not decided yet. They are not in `refunded`. */
    pending: z.object({ count: z.int(), total: sum }),
    /** The columns that the merchant bears. Empty: none. */
    chargeColumns: z.array(z.enum(CHARGE_COLUMNS)),
    /** Over these columns. `null` when it is unknown on one of the days. */
    charges: sum.nullable(),
    /** `received` less `refunded` less `charges`. `null` when one of them is unknown or a day does not balance. */
    net: sum.nullable(),
    /** Why the net is unknown. Empty when it is known. */
    unknown: z.array(z.enum(NET_UNKNOWN)),
  }),
);
/** What came in, what went back, and what is left. */
export type Net = z.infer<typeof netSchema>;

/** The figures of any number of sealed days. A `null` is unknown, and never means zero. */
export const periodFiguresSchema = z.lazy(() =>
  z.object({
    counts: countsSchema,
    /** `null` when the registry named no states on one of the days. */
    amounts: amountsSchema.nullable(),
    refunds: refundFiguresSchema,
    net: netSchema,
    /** `null` when it is unknown of one of the days. */
    breakdown: breakdownSchema.nullable(),
  }),
);
/** The figures of any number of sealed days. */
export type PeriodFigures = z.infer<typeof periodFiguresSchema>;

/** The figures of another period, to compare with. */
export const comparedPeriodSchema = z.lazy(() =>
  z.object({
    period: z.string(),
    /** The revision of the statement that they are from. `null`: added up from the period's days. */
    revision: z.int().min(1).nullable(),
    final: z.boolean(),
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: z.object({ count: z.int(), total: sum }),
    received: sum.nullable(),
    net: sum.nullable(),
  }),
);
/** The figures of another period. */
export type ComparedPeriod = z.infer<typeof comparedPeriodSchema>;
