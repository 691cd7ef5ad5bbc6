import * as z from 'zod';

const count = z.lazy(() => z.int().nullable());

/** Invoices by state. `null`: the service did not say; it never means zero. */
export const countsSchema = z.lazy(() =>
  z.object({
    total: count,
    paid: count,
    notPaid: count,
    cancelled: count,
    other: count,
  }),
);
/** Invoices by state. */
export type Counts = z.infer<typeof countsSchema>;

/** The states in which invoices are counted and summed. */
export const INVOICE_STATES = ['paid', 'notPaid', 'cancelled', 'other'] as const;
/** A state of an invoice. */
export type InvoiceState = (typeof INVOICE_STATES)[number];

/** The sums by state, decimal strings with three fraction digits. */
export const amountsSchema = z.lazy(() =>
  z.object({
    paid: z.string(),
    notPaid: z.string(),
    cancelled: z.string(),
    other: z.string(),
  }),
);
/** The sums by state. */
export type Amounts = z.infer<typeof amountsSchema>;

const refundTotalSchema = z.lazy(() => z.object({ count: z.int(), total: z.string() }));

/**
 * Refunds of one basis: their number and their sum over all statuses, and both by the registry's status
 * names.
 */
export const refundTotalsSchema = z.lazy(() =>
  refundTotalSchema.unwrap().extend({
    byStatus: z.record(z.string(), refundTotalSchema),
  }),
);
/** Refunds of one basis. */
export type RefundTotals = z.infer<typeof refundTotalsSchema>;

/** The day to which a refund belongs: its own date, or the day of the refunded sale. */
export type RefundBasis = 'refund' | 'sale';

/** Refunds by the date of the refund, and also by the day of the refunded transaction. */
export const refundFiguresSchema = z.lazy(() =>
  refundTotalsSchema.unwrap().extend({ saleBasis: refundTotalsSchema }),
);
/** Refunds on both bases. */
export type RefundFigures = z.infer<typeof refundFiguresSchema>;

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
