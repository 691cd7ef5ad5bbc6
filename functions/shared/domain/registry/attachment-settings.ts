import * as z from 'zod';

/** The registry's `attachments`: what the attached files say. `attachCsv` and `attachXlsx` ask for them. */
export const attachmentsSchema = z.lazy(() =>
  z.object({
    /** Our words for the service's payment methods, whose meaning the contract does not give. */
    paymentMethods: z.record(z.string(), z.string().min(1).max(60)).default({}),
  }),
);
/** What a merchant's attached files say. */
export type AttachmentSettings = z.infer<typeof attachmentsSchema>;
