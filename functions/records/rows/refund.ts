import * as z from 'zod';
import { amount, date, datetime, integer, jsonNumber, merchantId } from './contract-types.ts';

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
