import * as z from 'zod';
import { sealedTypes } from '../money/money.ts';
import type { Extent } from '../money/money.ts';

export const INVOICE_STATES = ['paid', 'notPaid', 'cancelled', 'other'] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

type Amount = ReturnType<typeof sealedTypes>['amount'];

function figureSchemas<Total extends z.core.$ZodType>(extent: Extent, totalOf: (amount: Amount) => Total) {
  const { count, countDifference, amount } = sealedTypes(extent);
  /** Invoices by state. `null`: the service did not say; it never means zero. */
  const counts = z.lazy(() =>
    z.object({
      total: count.nullable(),
      paid: count.nullable(),
      notPaid: count.nullable(),
      cancelled: count.nullable(),
      other: countDifference.nullable(),
    }),
  );
  const amounts = z.lazy(() => z.object({ paid: amount, notPaid: amount, cancelled: amount, other: amount }));
  const countAndSum = z.lazy(() => z.object({ count, sum: amount }));
  const refundTotal = z.lazy(() => z.object({ count, total: totalOf(amount) }));
  const refundTotals = z.lazy(() =>
    refundTotal.unwrap().extend({ byStatus: z.record(z.string(), refundTotal) }),
  );
  /** By the date of the refund. `saleBasis`: by the day of the sale, which is no total and not shown. */
  const refunds = z.lazy(() => refundTotals.unwrap().extend({ saleBasis: refundTotals }));
  return { counts, amounts, countAndSum, refundTotal, refundTotals, refunds };
}

export const DAY_FIGURES = figureSchemas('day', (amount) => amount);
/** A total is `null` when its days are of several currencies. */
export const PERIOD_FIGURES = figureSchemas('period', (amount) => amount.nullable());
export const {
  counts: countsSchema,
  amounts: amountsSchema,
  countAndSum,
  refundTotal: refundTotalSchema,
  refunds: refundFiguresSchema,
} = figureSchemas('group', (amount) => amount.nullable());

/** Invoices by state. `null`: the service did not say; it never means zero. */
export type Counts = z.infer<typeof countsSchema>;
export type Amounts = z.infer<typeof amountsSchema>;
export type RefundTotals = z.infer<typeof refundFiguresSchema>['saleBasis'];
export type RefundFigures = z.infer<typeof refundFiguresSchema>;
export type DayRefunds = z.infer<typeof DAY_FIGURES.refunds>;

/** With a date such as `0000-00-00`, in no day's figure. `ids`: of the first five. */
export const refundsWithoutDaySchema = z.lazy(() =>
  DAY_FIGURES.refundTotals.unwrap().extend({ ids: z.array(z.string()) }),
);
export type RefundsWithoutDay = z.infer<typeof refundsWithoutDaySchema>;

export const differenceSchema = z.lazy(() =>
  z.object({
    /** Manifests of earlier versions do not have it. */
    name: z.string().optional(),
    what: z.string(),
    service: z.union([z.number(), z.string(), z.null()]),
    rows: z.union([z.number(), z.string(), z.null()]),
    ids: z.array(z.string()).optional(),
  }),
);
export type Difference = z.infer<typeof differenceSchema>;

/** A correction is sent when one of them changes. */
export const figuresSchema = z.lazy(() =>
  z.object({
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundFiguresSchema,
    balanced: z.boolean(),
    /** What came in on the day, where it is known. Ledgers of earlier versions do not have it. */
    received: countAndSum.optional(),
  }),
);
export type Figures = z.infer<typeof figuresSchema>;
