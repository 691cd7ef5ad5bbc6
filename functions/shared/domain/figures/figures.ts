import * as z from 'zod';

const count = z.lazy(() => z.int().nullable());

/** Invoices by state; `null` is "the service did not say", never zero. */
export const countsSchema = z.lazy(() =>
  z.object({
    total: count,
    paid: count,
    notPaid: count,
    cancelled: count,
    other: count,
  }),
);
export type Counts = z.infer<typeof countsSchema>;

/** The states in which invoices are counted and summed. */
export const INVOICE_STATES = ['paid', 'notPaid', 'cancelled', 'other'] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

/** The sum per state, as decimal strings with three fraction digits. */
export const amountsSchema = z.lazy(() =>
  z.object({
    paid: z.string(),
    notPaid: z.string(),
    cancelled: z.string(),
    other: z.string(),
  }),
);
export type Amounts = z.infer<typeof amountsSchema>;

const refundTotalSchema = z.lazy(() => z.object({ count: z.int(), total: z.string() }));

/** Refunds of one basis: how many, their sum over all statuses, and both by the status names of the registry. */
export const refundTotalsSchema = z.lazy(() =>
  refundTotalSchema.unwrap().extend({
    byStatus: z.record(z.string(), refundTotalSchema),
  }),
);
export type RefundTotals = z.infer<typeof refundTotalsSchema>;

/** Refunds by the date of the refund, and beside it by the day of the transaction refunded. */
export const refundFiguresSchema = z.lazy(() =>
  refundTotalsSchema.unwrap().extend({ saleBasis: refundTotalsSchema }),
);
export type RefundFigures = z.infer<typeof refundFiguresSchema>;

/** Something that the service says and the rows do not bear out. */
export const differenceSchema = z.lazy(() =>
  z.object({
    /** Which comparison found it; manifests of earlier versions do not say. */
    name: z.string().optional(),
    what: z.string(),
    service: z.union([z.number(), z.string(), z.null()]),
    rows: z.union([z.number(), z.string(), z.null()]),
    /** Ids of the first invoices that it is about, where it is about some of them. */
    ids: z.array(z.string()).optional(),
  }),
);
export type Difference = z.infer<typeof differenceSchema>;

/** Every figure that the mail shows: a correction goes out when one of them changes. */
export const figuresSchema = z.lazy(() =>
  z.object({
    counts: countsSchema,
    amounts: amountsSchema.nullable(),
    refunds: refundFiguresSchema,
    balanced: z.boolean(),
  }),
);
export type Figures = z.infer<typeof figuresSchema>;
