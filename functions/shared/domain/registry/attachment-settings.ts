import * as z from 'zod';

/** The columns of attached invoices, in the order that a merchant gets who has not chosen. */
export const INVOICE_COLUMN_NAMES = [
  ...(['id', 'type', 'reference', 'status', 'state', 'amount', 'adminCharge', 'serviceCharge'] as const),
  ...(['discount', 'paymentMethod', 'customerName', 'customerEmail', 'customerPhone'] as const),
  ...(['description', 'createdAt', 'updatedAt', 'expiresAt', 'paymentId', 'transactionId'] as const),
  ...(['paidOn', 'paidWith'] as const),
] as const;
/** A column of attached invoices. */
export type InvoiceColumnName = (typeof INVOICE_COLUMN_NAMES)[number];

/** The columns of attached refunds, in the order that a merchant gets who has not chosen. */
export const REFUND_COLUMN_NAMES = [
  ...(['id', 'refundedOn', 'status', 'state', 'amount', 'saleAmount', 'soldAt', 'countsIn'] as const),
  ...(['reference', 'documentNumber', 'paidWith', 'transactionId', 'remarks'] as const),
  ...(['createdAt', 'updatedAt'] as const),
] as const;
/** A column of attached refunds. */
export type RefundColumnName = (typeof REFUND_COLUMN_NAMES)[number];

function columnsOf<Name extends string>(names: readonly Name[]) {
  return z
    .array(z.enum(names))
    .min(1)
    .refine((columns) => new Set(columns).size === columns.length, 'has a column twice')
    .optional();
}

/** The registry's `attachments`: what the attached files look like. `attachCsv` and `attachXlsx` ask for them. */
export const attachmentsSchema = z.lazy(() =>
  z.object({
    columns: columnsOf(INVOICE_COLUMN_NAMES),
    refundColumns: columnsOf(REFUND_COLUMN_NAMES),
    // ASCII, so that the date behind it is never shown from right to left.
    filePrefix: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'must be letters, digits, "_" and "-", 40 at most')
      .default('invoices'),
    /** Our words for the service's payment methods, whose meaning the contract does not give. */
    paymentMethods: z.record(z.string(), z.string().min(1).max(60)).default({}),
  }),
);
/** What a merchant's attached files look like. */
export type AttachmentSettings = z.infer<typeof attachmentsSchema>;
