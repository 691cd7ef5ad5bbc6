import * as z from 'zod';
import { isDay } from '../day/business-day.ts';
import { MERCHANT_CODE } from '../registry/registry.ts';

/** An item as `plan` writes it and Step Functions hands it back. */
export const planItemSchema = z.lazy(() =>
  z.strictObject({
    merchantCode: z.string().regex(MERCHANT_CODE),
    days: z.array(z.string().refine(isDay, 'is no date')).min(1),
    send: z.boolean(),
    scheduledTime: z.iso.datetime().nullable(),
  }),
);
