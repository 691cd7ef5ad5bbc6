import * as z from 'zod';
import { CHARGE_COLUMNS } from './charges.ts';
import { sealedTypes } from '../money/sealed.ts';
import type { Extent } from '../money/sealed.ts';
import { INVOICE_STATES } from './figures.ts';

/** The most invoice types and payment methods that are named. Everything beyond them counts as one, the last. */
export const MOST_NAMED = 20;
/** With the last one, which is all others. */
const MOST_LISTED = MOST_NAMED + 1;
/** UTF-16 units of a payment method. The service's text may have any length. */
export const LONGEST_METHOD = 60;

function breakdownSchemaOf(extent: Extent) {
  const { count, amount } = sealedTypes(extent);
  /** A number of invoices and their sum. */
  const countAndAmount = z.lazy(() => z.object({ count, amount }));
  const ofType = z.lazy(() =>
    z.object({
      /** The type that was asked for, `null` for all types beyond {@link MOST_NAMED}. */
      type: z.string().nullable(),
      /** Over all states. */
      all: countAndAmount,
      /** `null` when the registry does not name the statuses. */
      states: z.record(z.enum(INVOICE_STATES), countAndAmount).nullable(),
    }),
  );
  const ofMethod = z.lazy(() =>
    countAndAmount.unwrap().extend({
      /** The service's own text (`transaction.payment_type`), cut. `null`: it says none, or one beyond the named ones. */
      method: z.string().nullable(),
    }),
  );
  const ofCharge = z.lazy(() =>
    z.object({
      column: z.enum(CHARGE_COLUMNS),
      /** Over the paid invoices. `null` when one of them has no amount in the column. */
      total: amount.nullable(),
    }),
  );
  return z.lazy(() =>
    z.object({
      byType: z.array(ofType).max(MOST_LISTED),
      /** `null` when the registry does not name the statuses: then nobody knows which invoices are paid. */
      byMethod: z.array(ofMethod).max(MOST_LISTED).nullable(),
      /** `null` for the same reason. Every column that may be a charge, whatever the registry's `charges` are. */
      charges: z.array(ofCharge).nullable(),
    }),
  );
}

/** The schema of a day's {@link Breakdown}. */
export const dayBreakdownSchema = breakdownSchemaOf('day');
/** The schema of the {@link Breakdown} of a week or month. What loses its name may be the sum of many of each day. */
export const breakdownSchema = breakdownSchemaOf('group');

/**
 * The invoices of a day or of a longer period by type, and the paid ones by payment method and by charge. Only the rows
 * decide it, so it is sealed with them. Lists have a fixed order: types as the registry has them, methods by name.
 */
export type Breakdown = z.infer<typeof breakdownSchema>;
/** The invoices of one requested type. */
export type TypeBreakdown = Breakdown['byType'][number];
/** A number of invoices and their sum: a decimal string with three fraction digits. */
export type CountAndAmount = TypeBreakdown['all'];
/** The paid invoices of one payment method. */
export type MethodBreakdown = NonNullable<Breakdown['byMethod']>[number];
/** One column of charges. */
export type ChargeBreakdown = NonNullable<Breakdown['charges']>[number];
