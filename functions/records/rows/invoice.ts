import * as z from 'zod';
import { amount, date, datetime, integer, merchantId, texts, unspecified } from './contract-types.ts';

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
