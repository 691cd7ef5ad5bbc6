import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import { sealedTypes } from '../money/money.ts';
import type { Extent } from '../money/money.ts';
import { breakdownSchemaOf } from './breakdown.ts';
import { DAY_FIGURES } from './figure-schemas.ts';
import { ofEachState } from './invoice-state-totals.ts';

function schemasOf(extent: Extent) {
  const { count, amount } = sealedTypes(extent);
  const breakdown = breakdownSchemaOf(extent).unwrap().shape;
  const countAndAmount = z.object({ count, amount });
  const paid = countAndAmount.extend({
    /** On which the money came, in the merchant's zone. */
    day: daySchema,
    /** Those without a readable payment time. */
    seen: count,
    byMethod: breakdown.byMethod.unwrap(),
    charges: breakdown.charges.unwrap(),
  });
  return { count, amount, countAndAmount, paid };
}

/** What became of the invoices made on a day. Sums are decimal strings with three fraction digits. */
export const outcomesSchema = z.lazy(() => {
  const { countAndAmount, paid } = schemasOf('day');
  return z.object({
    paid: z.array(paid),
    /** By the day on which a reading first saw it. */
    cancelled: z.array(countAndAmount.extend({ day: daySchema })),
    /** Unpaid, by the last day of their link (`expires_at`); `null`: it says none. */
    open: z.array(countAndAmount.extend({ lastDay: daySchema.nullable() })),
    /** In no state that the registry names. */
    other: countAndAmount,
    /** Ids that a later reading than the first saw paid or cancelled, and no payment time says when. */
    seen: z.array(z.object({ day: daySchema, ids: z.array(z.string()) })),
  });
});
export type Outcomes = z.infer<typeof outcomesSchema>;

const statedSchema = z.lazy(() => {
  const { total, paid, notPaid, cancelled } = DAY_FIGURES.counts.unwrap().shape;
  return z.object({ listed: total, total, paid, notPaid, cancelled });
});
/** `null`: the service did not say. */
export type StatedCounts = z.infer<typeof statedSchema>;

/** What a later look at a range of days compares with the service. */
export const followedSchema = z.lazy(() =>
  z.object({
    /** What the service stated in its answer for each type of invoice: `pagination.total`, and `stats`. */
    stated: z.record(z.string(), statedSchema),
    /** Of refunds that are not decided yet, the first hundred. */
    pendingRefunds: z.array(z.string()),
  }),
);
export type Followed = z.infer<typeof followedSchema>;

function receivedSchemaOf(extent: Extent) {
  return z.lazy(() => {
    const { count, amount, paid } = schemasOf(extent);
    const countAndSum = z.object({ count, sum: amount });
    return countAndSum.extend({
      /** Of invoices made on an earlier day. */
      ofEarlier: countAndSum,
      byMethod: paid.shape.byMethod,
      charges: paid.shape.charges,
      /** By what the day is known. `otherCurrency`: left out, since their page is of another currency. */
      basis: z.object({ paidOn: count, seen: count, otherCurrency: count }),
    });
  });
}

/** Money by the day it came, whatever day its invoice was made. */
export const dayReceivedSchema = receivedSchemaOf('day');
export const receivedSchema = receivedSchemaOf('group');
export type Received = z.infer<typeof receivedSchema>;

/** The invoices made on a day, by state as the day was last read. */
export const issuedSchema = z.lazy(() => {
  const countAndSum = DAY_FIGURES.countAndSum.unwrap();
  return countAndSum.extend(ofEachState(() => countAndSum));
});
