import * as z from 'zod';
import {
  amount,
  date,
  datetime,
  integer,
  merchantId,
  texts,
  unspecified,
  jsonNumber,
} from './contract-types.ts';

/**
 * One invoice of the list as the contract shows it (docs/contract.md, 2.3 Invoice record). The order of members here is the order of
 * columns and of members in the snapshots. What is otherwise in an answer is kept and named as drift, unless
 * {@link neededInvoiceSchema} refuses it.
 */
export const invoiceSchema = z.lazy(() =>
  z.looseObject({
    id: integer,
    invoice_type: integer,
    invoice_sub_type: integer,
    order_drop_id: integer,
    token: z.string(),
    access_key: z.string(),
    split_access_key: z.string(),
    merchant_id: z.string(),
    reference_number: z.string(),
    amount,
    admin_charge: amount,
    service_charge: amount,
    subscription: integer,
    discount: amount,
    description: z.string(),
    sms_response: z.string(),
    invoice_status: integer,
    payment_method: texts,
    sms_status: integer,
    url_status: integer,
    visited_count: integer,
    country_id: integer,
    created_id: integer,
    language: z.string(),
    expires_at: date,
    url: z.string(),
    spliturl: z.string().nullable(),
    created_at: datetime,
    updated_at: datetime,
    rentperiod: unspecified,
    transaction: z.looseObject({
      payment_type_id: unspecified,
      payment_id: unspecified,
      post_date: unspecified,
      result_code: unspecified,
      track_id: unspecified,
      transaction_id: unspecified,
      reference_number: unspecified,
      payment_type: unspecified,
      paid_on: unspecified,
      Auth: unspecified,
      Amount: unspecified,
      admin_charge: unspecified,
    }),
    customer: z.looseObject({ name: z.string(), email: z.string(), phone_number: z.string() }),
    created_by_merchant: z.looseObject({ id: integer, name: z.string() }),
    products: z.array(z.unknown()),
  }),
);
/** What figures, identity and comparisons need of an invoice. Nothing else of it can stop a day (docs/contract.md, 9). */
export const neededInvoiceSchema = z.lazy(() =>
  invoiceSchema
    .unwrap()
    .pick({ id: true, amount: true, invoice_status: true })
    .extend({ merchant_id: merchantId }),
);
/** An invoice as the service sent it. Only what is needed has a type. */
export type Invoice = z.infer<typeof neededInvoiceSchema>;

/** What figures need of a sealed row, where any other column may be redacted. */
export const sealedInvoiceSchema = z.lazy(() =>
  z.object({ _query_type: z.string(), id: integer, amount, invoice_status: integer }),
);

/**
 * One refund as the contract shows it (docs/contract.md, 2.4 Refund record). The order of members matters as in {@link invoiceSchema}.
 */
export const refundSchema = z.lazy(() =>
  z.looseObject({
    id: integer,
    merchant_id: integer,
    amount,
    refund_at: date,
    document_number: z.string(),
    token: z.string(),
    transaction_date: datetime,
    order_reference_number: z.string(),
    recover_method: z.string(),
    status: integer,
    refund_method: z.string(),
    remarks: z.string(),
    approved_by: z.string(),
    total_balance_amount: amount,
    total_refunded_amount: amount,
    total_transaction_amount: amount,
    created_at: datetime,
    updated_at: datetime,
    transaction: z.looseObject({
      id: integer,
      // A JSON number in the contract: passed through, never summed.
      amount: jsonNumber,
      admin_charge: jsonNumber,
      token: z.string(),
      payment_id: integer,
      payment_name: z.string(),
      display_name: z.string(),
      track_id: z.string(),
      transaction_id: z.string(),
      service_id: integer,
      auth: z.string(),
      status: integer,
      created_at: datetime,
    }),
  }),
);
/** What figures, identity and comparisons need of a refund. Nothing else of it can stop a day (docs/contract.md, 9). */
export const neededRefundSchema = z.lazy(() =>
  refundSchema.unwrap().pick({ id: true, amount: true, status: true }).extend({ merchant_id: merchantId }),
);
/** A refund as the service sent it. Only what is needed has a type. */
export type Refund = z.infer<typeof neededRefundSchema>;
