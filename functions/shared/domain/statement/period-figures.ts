import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import { breakdownSchema } from '../figures/breakdown.ts';
import { CHARGE_COLUMNS } from '../figures/charges.ts';
import { PERIOD_FIGURES } from '../figures/figures.ts';
import { sealedTypes } from '../money/sealed.ts';
import type { Extent } from '../money/sealed.ts';
import { periodSchema } from '../period/period.ts';

const ofPeriod = sealedTypes('period');

/** Why a net is unknown, as for a day ({@link NetUnknown}). */
export const NET_UNKNOWN = ['unbalanced', 'states', 'refunds', 'charges', 'currencies'] as const;

function netSchemaOf(extent: Extent) {
  const { count, amount } = sealedTypes(extent);
  return z.lazy(() =>
    z.object({
      /** The sum of the paid invoices. `null` when it is unknown on one of the days. */
      received: amount.nullable(),
      /** The approved refunds, by the date of the refund. `null` when it is unknown on one of the days. */
      refunded: amount.nullable(),
      /** Refunds that were not decided yet. They are not in `refunded`. */
      pending: z.object({ count, total: amount.nullable() }),
      /** The columns that the merchant bears. Empty: none. */
      chargeColumns: z.array(z.enum(CHARGE_COLUMNS)),
      /** Over these columns. `null` when it is unknown on one of the days. */
      charges: amount.nullable(),
      /** `received` less `refunded` less `charges`. `null` when one of them is unknown or a day does not balance. */
      net: amount.nullable(),
      /** Why the net is unknown. Empty when it is known. */
      unknown: z.array(z.enum(NET_UNKNOWN)),
    }),
  );
}

/** The schema of the {@link Net} of a week or month. */
export const periodNetSchema = netSchemaOf('period');
/** The schema of the {@link Net} of a group. */
export const netSchema = netSchemaOf('group');
/** What came in, what went back, and what is left. Decimal strings with three fraction digits. */
export type Net = z.infer<typeof netSchema>;

/** The figures of any number of sealed days. A `null` is unknown, and never means zero. */
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
/** The figures of any number of sealed days. */
export type PeriodFigures = z.infer<typeof periodFiguresSchema>;

/** The sums of a period's days of one currency. Sums of different currencies are never added. */
export const currencyOfPeriodSchema = z.lazy(() =>
  periodFiguresSchema.unwrap().omit({ breakdown: true }).extend({ days: ofPeriod.count }),
);
/** The sums of a period's days of one currency. */
export type CurrencyOfPeriod = z.infer<typeof currencyOfPeriodSchema>;

/** The figures of another period, to compare with. */
export const comparedPeriodSchema = z.lazy(() =>
  z.object({
    period: periodSchema,
    /** Its first and last day. Statements of earlier versions do not have them. */
    from: daySchema.optional(),
    to: daySchema.optional(),
    /** The revision of the statement that they are from. `null`: added up from the period's days. */
    revision: z.int().min(1).nullable(),
    final: z.boolean(),
    counts: PERIOD_FIGURES.counts,
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refundTotal,
    received: ofPeriod.amount.nullable(),
    net: ofPeriod.amount.nullable(),
  }),
);
/** The figures of another period. */
export type ComparedPeriod = z.infer<typeof comparedPeriodSchema>;
