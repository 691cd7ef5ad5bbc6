import * as z from 'zod';
import { countsSchema, differenceSchema, refundFiguresSchema } from '../../functions/shared/core/figures.ts';

/** What `plan` answers (`interfaces.md`, Events). */
export const planAnswerSchema = z.object({
  items: z.array(
    z.object({
      merchantCode: z.string(),
      days: z.array(z.string()),
      send: z.boolean(),
      scheduledTime: z.string().nullable(),
    }),
  ),
  rejected: z.array(z.object({ path: z.string(), reason: z.string() })),
});

/** What `daily-report` answers when something is sealed (`interfaces.md`, Events). */
export const reportAnswerSchema = z.object({
  merchantCode: z.string(),
  day: z.string(),
  revision: z.int(),
  unchanged: z.boolean(),
  balanced: z.boolean(),
  differences: z.array(differenceSchema),
  counts: countsSchema,
  refunds: refundFiguresSchema,
  mail: z.object({
    status: z.enum(['sent', 'already-sent', 'skipped', 'held', 'preview']),
    reason: z.string().optional(),
    messageIds: z.array(z.string()),
  }),
});
export type ReportAnswer = z.infer<typeof reportAnswerSchema>;
