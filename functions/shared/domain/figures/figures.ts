import * as z from 'zod';
import { sealedTypes } from '../money/sealed.ts';
import type { Extent } from '../money/sealed.ts';

/** The states in which invoices are counted and summed. */
export const INVOICE_STATES = ['paid', 'notPaid', 'cancelled', 'other'] as const;
/** A state of an invoice. */
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
      /** The total less the others. */
      other: countDifference.nullable(),
    }),
  );
  /** The sums by state, decimal strings with three fraction digits. */
  const amounts = z.lazy(() => z.object({ paid: amount, notPaid: amount, cancelled: amount, other: amount }));
  /** Refunds over all statuses. */
  const refundTotal = z.lazy(() => z.object({ count, total: totalOf(amount) }));
  /** Refunds of one basis: over all statuses, and by the registry's status names. */
  const refundTotals = z.lazy(() =>
    refundTotal.unwrap().extend({ byStatus: z.record(z.string(), refundTotal) }),
  );
  /**
   * Refunds by the date of the refund. `saleBasis`: of the same page's refunds, those whose sale is of the day. Most refunds of a
   * day's sales are given later and are not on its page, so it is no total, and nothing shows it.
   */
  const refunds = z.lazy(() => refundTotals.unwrap().extend({ saleBasis: refundTotals }));
  return { counts, amounts, refundTotal, refundTotals, refunds };
}

/** The schemas of a day's figures. */
export const DAY_FIGURES = figureSchemas('day', (amount) => amount);
/** The schemas of the figures of a week or month. A total is `null` when its days are of several currencies. */
export const PERIOD_FIGURES = figureSchemas('period', (amount) => amount.nullable());
/** The schemas of a group's figures, and of those that are only shown or compared. */
export const {
  counts: countsSchema,
  amounts: amountsSchema,
  refundTotal: refundTotalSchema,
  refunds: refundFiguresSchema,
} = figureSchemas('group', (amount) => amount.nullable());

/** Invoices by state. `null`: the service did not say; it never means zero. */
export type Counts = z.infer<typeof countsSchema>;
/** The sums by state, decimal strings with three fraction digits. */
export type Amounts = z.infer<typeof amountsSchema>;
/** Refunds of one basis. */
export type RefundTotals = z.infer<typeof refundFiguresSchema>['saleBasis'];
/** Refunds by the date of the refund, and what `saleBasis` counts. */
export type RefundFigures = z.infer<typeof refundFiguresSchema>;
/** Refunds of a day, on both bases. */
export type DayRefunds = z.infer<typeof DAY_FIGURES.refunds>;

/** Refunds whose date is none, such as `0000-00-00`: no figure of any day has them. `ids`: of the first five. */
export const refundsWithoutDaySchema = z.lazy(() =>
  DAY_FIGURES.refundTotals.unwrap().extend({ ids: z.array(z.string()) }),
);
/** Refunds whose date is none. */
export type RefundsWithoutDay = z.infer<typeof refundsWithoutDaySchema>;

/** A difference between what the service states and the rows. */
export const differenceSchema = z.lazy(() =>
  z.object({
    /** The comparison that found it. Manifests of earlier versions do not have it. */
    name: z.string().optional(),
    what: z.string(),
    service: z.union([z.number(), z.string(), z.null()]),
    rows: z.union([z.number(), z.string(), z.null()]),
    /** Ids of the first invoices that it is about, if it is about some of them. */
    ids: z.array(z.string()).optional(),
  }),
);
/** A difference between what the service states and the rows. */
export type Difference = z.infer<typeof differenceSchema>;

/** Every figure in the mail. A correction is sent when one of them changes. */
export const figuresSchema = z.lazy(() =>
  z.object({
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundFiguresSchema,
    balanced: z.boolean(),
  }),
);
/** Every figure in the mail. */
export type Figures = z.infer<typeof figuresSchema>;
