import * as z from 'zod';
import { CHARGE_COLUMNS } from './charges.ts';
import { sealedTypes } from '../money/sealed.ts';
import type { Extent } from '../money/sealed.ts';
import { INVOICE_STATES } from './figures.ts';

export const MOST_NAMED = 20;
const MOST_LISTED = MOST_NAMED + 1;
/** UTF-16 units of a payment method. The service's text may have any length. */
export const LONGEST_METHOD = 60;

function breakdownSchemaOf(extent: Extent) {
  const { count, amount } = sealedTypes(extent);
  const countAndAmount = z.lazy(() => z.object({ count, amount }));
  const ofType = z.lazy(() =>
    z.object({
      /** That was asked for; `null` for all beyond {@link MOST_NAMED}. */
      type: z.string().nullable(),
      all: countAndAmount,
      /** `null` when the registry does not name the statuses. */
      states: z.record(z.enum(INVOICE_STATES), countAndAmount).nullable(),
    }),
  );
  const ofMethod = z.lazy(() =>
    countAndAmount.unwrap().extend({
      /** The service's own text, cut. `null`: it says none, or one beyond the named. */
      method: z.string().nullable(),
    }),
  );
  const ofCharge = z.lazy(() =>
    z.object({
      column: z.enum(CHARGE_COLUMNS),
      /** `null` when a paid invoice has no amount in the column. */
      total: amount.nullable(),
    }),
  );
  return z.lazy(() =>
    z.object({
      byType: z.array(ofType).max(MOST_LISTED),
      /** `null` when nobody knows which invoices are paid. */
      byMethod: z.array(ofMethod).max(MOST_LISTED).nullable(),
      /** `null` likewise. Every column that may be a charge, whatever the registry's `charges`. */
      charges: z.array(ofCharge).nullable(),
    }),
  );
}

export const dayBreakdownSchema = breakdownSchemaOf('day');
/** Of a week or month. What loses its name may be the sum of many of each day. */
export const breakdownSchema = breakdownSchemaOf('group');

/**
 * Invoices of a day or period by type, paid ones by method and charge. Only the rows decide it, so it is
 * sealed with them. Types are in the registry's order, methods by name.
 */
export type Breakdown = z.infer<typeof breakdownSchema>;
export type TypeBreakdown = Breakdown['byType'][number];
/** The sum is a decimal string with three fraction digits. */
export type CountAndAmount = TypeBreakdown['all'];
export type MethodBreakdown = NonNullable<Breakdown['byMethod']>[number];
export type ChargeBreakdown = NonNullable<Breakdown['charges']>[number];
