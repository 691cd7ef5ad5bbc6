import * as z from 'zod';
import {
  groupAnswerSchema as anyGroupSchema,
  merchantAnswerSchema,
  reportAnswerSchema as anyReportSchema,
} from '../../daybook/stage/function-answers.ts';

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

export const reportAnswerSchema = anyReportSchema.extend({ revision: z.int() });
export type ReportAnswer = z.infer<typeof reportAnswerSchema>;

/** The answer of `statement` about a merchant, when it is sealed. */
export const statementAnswerSchema = merchantAnswerSchema.extend({ revision: z.int() });
export type StatementAnswer = z.infer<typeof statementAnswerSchema>;

/** The same about a group. */
export const groupAnswerSchema = anyGroupSchema.extend({ revision: z.int() });
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
