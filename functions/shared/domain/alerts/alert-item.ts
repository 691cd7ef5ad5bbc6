import * as z from 'zod';
import { daySchema } from '../day/business-day.ts';
import { currencySchema, sealed } from '../money/sealed.ts';

export const alertItemSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** `null` when it is redacted or empty. */
    reference: z.string().nullable(),
    amount: sealed.amount,
    /** `YYYY-MM-DD`. `null` for a refund, and for a date that is not in the calendar. */
    expiresOn: daySchema.nullable(),
    /** Of the amount. Items of earlier versions do not have it: the mail then shows the registry's. */
    currency: currencySchema.optional(),
  }),
);
export type AlertItem = z.infer<typeof alertItemSchema>;
