import * as z from 'zod';
import {
  amountsSchema,
  countsSchema,
  differenceSchema,
  refundFiguresSchema,
} from '#records/figures/figure-schemas.ts';

const mailSchema = z.object({
  status: z.enum(['sent', 'already-sent', 'skipped', 'held', 'preview']),
  reason: z.string().optional(),
  messageIds: z.array(z.string()),
});

/** The answer of `plan` (docs/interfaces.md, 4.1 plan). */
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
  notices: z.array(z.object({ path: z.string(), message: z.string() })),
});

/** The answer of `daily-report` when a day is sealed (docs/interfaces.md, 4.2 daily-report). */
export const reportAnswerSchema = z.object({
  merchantCode: z.string(),
  day: z.string(),
  revision: z.int(),
  unchanged: z.boolean(),
  balanced: z.boolean(),
  differences: z.array(differenceSchema),
  counts: countsSchema,
  refunds: refundFiguresSchema,
  mail: mailSchema,
});
export type ReportAnswer = z.infer<typeof reportAnswerSchema>;

const pageSchema = z.object({
  period: z.string(),
  revision: z.int(),
  unchanged: z.boolean(),
  final: z.boolean(),
  missing: z.array(z.string()),
  mail: mailSchema,
});

/** The part of `statement`'s answer about a merchant that is shown (docs/interfaces.md, 4.7 statement). */
export const statementAnswerSchema = pageSchema.extend({
  merchantCode: z.string(),
  amounts: amountsSchema.nullable(),
});
export type StatementAnswer = z.infer<typeof statementAnswerSchema>;

/** The part of `statement`'s answer about a group that is shown. */
export const groupAnswerSchema = pageSchema.extend({
  group: z.string(),
  merchants: z.array(z.string()),
  byCurrency: z.record(z.string(), z.object({ amounts: amountsSchema.nullable() })),
});
export type GroupAnswer = z.infer<typeof groupAnswerSchema>;

/** The part of `alert-check`'s answer that is shown (docs/interfaces.md, 4.3 alert-check). */
export const checkAnswerSchema = z.object({
  transitions: z.array(z.object({ rule: z.string(), from: z.string(), to: z.string() })),
  mailed: z.boolean(),
  ignored: z.string().nullable(),
});
export type CheckAnswer = z.infer<typeof checkAnswerSchema>;

/** The part of `delivery-watch`'s answer that is shown (docs/interfaces.md, 4.4 delivery-watch). */
export const watchAnswerSchema = z.object({
  expected: z.int(),
  delivered: z.int(),
  missing: z.array(z.object({ merchantCode: z.string(), reason: z.string() })),
});
export type WatchAnswer = z.infer<typeof watchAnswerSchema>;
