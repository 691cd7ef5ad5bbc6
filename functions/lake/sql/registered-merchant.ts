import * as z from 'zod';
import { chargesSchema } from '#records/figures/charges.ts';
import { invoiceStatusesSchema } from '#records/figures/invoice-state-totals.ts';
import { refundStatusesSchema } from '#records/figures/refund-totals.ts';

/** What the registry said of a merchant, and when: a line of `REGISTERED_MERCHANTS`. Times are ISO 8601 in UTC. */
export const registeredMerchantSchema = z.lazy(() =>
  z.object({
    merchantCode: z.string(),
    name: z.string(),
    timeZone: z.string(),
    currency: z.string(),
    /** `null`: it names no states. */
    invoiceStatuses: invoiceStatusesSchema.nullable(),
    refundStatuses: refundStatusesSchema,
    charges: chargesSchema,
    /** Groups of merchants, by name. */
    groups: z.array(z.string()),
    since: z.iso.datetime(),
    /** `null`: it says so still. */
    until: z.iso.datetime().nullable(),
  }),
);
export type RegisteredMerchant = z.infer<typeof registeredMerchantSchema>;
