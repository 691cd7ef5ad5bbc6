import * as z from 'zod';
import { daySchema } from '#records/day/business-day.ts';
import { breakdownSchema } from '#records/figures/breakdown.ts';
import { CHARGE_COLUMNS } from '#records/figures/charges.ts';
import { PERIOD_FIGURES } from '#records/figures/figure-schemas.ts';
import { sealedTypes } from '#records/money/money.ts';
import type { Extent } from '#records/money/money.ts';
import { periodSchema } from '#records/period/period.ts';

const ofPeriod = sealedTypes('period');

/** Why a net is unknown, as for a day ({@link NetUnknown}). */
export const NET_UNKNOWN = ['unbalanced', 'states', 'refunds', 'charges', 'currencies'] as const;

function netSchemaOf(extent: Extent) {
  const { count, amount } = sealedTypes(extent);
  return z.lazy(() =>
    z.object({
      /** The paid invoices; `null` when unknown on a day. */
      received: amount.nullable(),
      /** Approved refunds by their date; `null` when unknown on a day. */
      refunded: amount.nullable(),
      /** Not decided yet; not in `refunded`. */
      pending: z.object({ count, total: amount.nullable() }),
      chargeColumns: z.array(z.enum(CHARGE_COLUMNS)),
      charges: amount.nullable(),
      /** `received` less `refunded` less `charges`; `null` when one is unknown or a day does not balance. */
      net: amount.nullable(),
      /** Empty when the net is known. */
      unknown: z.array(z.enum(NET_UNKNOWN)),
    }),
  );
}

export const periodNetSchema = netSchemaOf('period');
export const netSchema = netSchemaOf('group');
export type Net = z.infer<typeof netSchema>;

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

/** The sums of a period's days of one currency. Sums of different currencies are never added. */
export const currencyOfPeriodSchema = z.lazy(() =>
  periodFiguresSchema.unwrap().omit({ breakdown: true }).extend({ days: ofPeriod.count }),
);
export type CurrencyOfPeriod = z.infer<typeof currencyOfPeriodSchema>;

export const comparedPeriodSchema = z.lazy(() =>
  z.object({
    period: periodSchema,
    /** Its first and last day. Statements of earlier versions do not have them. */
    from: daySchema.optional(),
    to: daySchema.optional(),
    /** Of its statement. `null` in statements of earlier versions: added up from the period's days. */
    revision: z.int().min(1).nullable(),
    /**
     * When that was sealed (ISO 8601, UTC): no more days after its end than the statement that names it. Those of earlier versions
     * do not have it, and took the newest.
     */
    sealedAt: z.iso.datetime().optional(),
    final: z.boolean(),
    counts: PERIOD_FIGURES.counts,
    amounts: PERIOD_FIGURES.amounts.nullable(),
    refunds: PERIOD_FIGURES.refundTotal,
    received: ofPeriod.amount.nullable(),
    net: ofPeriod.amount.nullable(),
  }),
);
export type ComparedPeriod = z.infer<typeof comparedPeriodSchema>;
