import * as z from 'zod';

export const attachmentsSchema = z.lazy(() =>
  z.object({
    /** Our words for the service's payment methods, whose meaning the contract does not give. */
    paymentMethods: z.record(z.string(), z.string().min(1).max(60)).default({}),
  }),
);
export type AttachmentSettings = z.infer<typeof attachmentsSchema>;
