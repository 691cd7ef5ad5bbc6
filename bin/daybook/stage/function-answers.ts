import * as z from 'zod';
import {
  amountsSchema,
  countsSchema,
  refundFiguresSchema,
  differenceSchema,
} from '#records/figures/figure-schemas.ts';

export const mailSchema = z.object({
  status: z.string(),
  reason: z.string().optional(),
  messageIds: z.array(z.string()),
});

const figures = {
  counts: countsSchema,
  amounts: amountsSchema.nullable(),
  refunds: refundFiguresSchema,
};

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
  ...figures,
  manifestKey: z.string().nullable(),
  mail: mailSchema,
});
export type ReportAnswer = z.infer<typeof reportAnswerSchema>;

const page = {
  period: z.string(),
  from: z.string(),
  to: z.string(),
  revision: z.int().nullable(),
  unchanged: z.boolean(),
  final: z.boolean(),
  /** Days of a merchant, codes of a group's merchants. */
  missing: z.array(z.string()),
  unbalanced: z.array(z.string()),
  statementKey: z.string().nullable(),
  mail: mailSchema,
};

const byCurrency = z.record(z.string(), z.object(figures));

export const merchantAnswerSchema = z.object({
  merchantCode: z.string(),
  ...page,
  ...figures,
  /** `null`: of several, and then `byCurrency` has the sums. Functions of earlier versions do not say it. */
  currency: z.string().nullable().optional(),
  byCurrency: byCurrency.optional(),
  /** ISO 8601, UTC; `null`: it is open. Functions of earlier versions say neither. */
  closedAt: z.string().nullish(),
  /** How many it tells of closed statements. */
  adjustments: z.int().optional(),
});
export const groupAnswerSchema = z.object({
  group: z.string(),
  ...page,
  byCurrency,
  merchants: z.array(z.string()),
});

/** The answer of `statement` (docs/interfaces.md, 4.7 statement): about a merchant or a group. */
export const statementAnswerSchema = z.union([merchantAnswerSchema, groupAnswerSchema]);
export type StatementAnswer = z.infer<typeof statementAnswerSchema>;
