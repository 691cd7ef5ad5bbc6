import * as z from 'zod';
import {
  amountsSchema,
  countsSchema,
  differenceSchema,
  refundFiguresSchema,
} from '#records/figures/figure-schemas.ts';

/** The answer of `daily-report` (docs/interfaces.md, 4.2 daily-report). */
export const reportAnswerSchema = z.object({
  merchantCode: z.string(),
  day: z.string(),
  revision: z.int().nullable(),
  unchanged: z.boolean(),
  balanced: z.boolean(),
  differences: z.array(differenceSchema),
  notCompared: z.array(differenceSchema),
  /** Functions of earlier versions do not say it. */
  currency: z.string().optional(),
  counts: countsSchema,
  amounts: amountsSchema.nullable(),
  refunds: refundFiguresSchema,
  manifestKey: z.string().nullable(),
  mail: z.object({ status: z.string(), reason: z.string().optional(), messageIds: z.array(z.string()) }),
});
/** The answer of `daily-report`. */
export type ReportAnswer = z.infer<typeof reportAnswerSchema>;
