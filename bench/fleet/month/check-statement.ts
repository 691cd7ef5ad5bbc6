import * as z from 'zod';
import { formatAmount } from '#domain/money/money.ts';
import type { Taken } from '../workers/aws.worker.ts';
import type { DayTruth } from './made-manifest.ts';

const figuresSchema = z.object({
  counts: z.object({ total: z.int(), paid: z.int() }),
  amounts: z.object({ paid: z.string() }),
  refunds: z.object({ total: z.string() }),
});

const answerSchema = figuresSchema.extend({
  revision: z.int(),
  unchanged: z.boolean(),
  final: z.boolean(),
  missing: z.array(z.string()),
  mail: z.object({ status: z.string() }),
});

const groupSchema = z.object({
  revision: z.int(),
  unchanged: z.boolean(),
  final: z.boolean(),
  missing: z.array(z.string()),
  byCurrency: z.record(z.string(), figuresSchema),
  mail: z.object({ status: z.string() }),
});

const pageSchema = z.object({
  merchants: z.array(z.unknown()),
  corrections: z.array(z.unknown()),
});

/** The exact sum of days or merchants. */
export function sumOf(truths: readonly DayTruth[]): DayTruth {
  const sum: DayTruth = { total: 0, paid: 0, received: 0n, refunded: 0n };
  for (const { total, paid, received, refunded } of truths) {
    sum.total += total;
    sum.paid += paid;
    sum.received += received;
    sum.refunded += refunded;
  }
  return sum;
}

type Figures = z.infer<typeof figuresSchema>;

function faultsOfFigures({ counts, amounts, refunds }: Figures, truth: DayTruth): string[] {
  const [received, refunded] = [formatAmount(truth.received), formatAmount(truth.refunded)];
  return [
    ...(counts.total === truth.total ? [] : [`${counts.total} of ${truth.total} invoices`]),
    ...(counts.paid === truth.paid ? [] : [`${counts.paid} of ${truth.paid} paid`]),
    ...(amounts.paid === received ? [] : [`received ${amounts.paid} in place of ${received}`]),
    ...(refunds.total === refunded ? [] : [`refunds of ${refunds.total} in place of ${refunded}`]),
  ];
}

type Page = Omit<z.infer<typeof answerSchema>, keyof Figures>;

function faultsOfPage({ revision, unchanged, final, missing, mail }: Page): string[] {
  return [
    ...(revision === 1 ? [] : [`revision ${revision}`]),
    ...(unchanged ? ['unchanged'] : []),
    ...(final ? [] : ['not final']),
    ...(missing.length === 0 ? [] : [`${missing.length} missing`]),
    ...(mail.status === 'sent' ? [] : [`mail ${mail.status}`]),
  ];
}

/** The faults of a statement's answer; empty if it is right. */
export function faultsOfStatement(answer: unknown, truth: DayTruth): string[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return [`is not a statement: ${parsed.error.message}`];
  return [...faultsOfPage(parsed.data), ...faultsOfFigures(parsed.data, truth)];
}

/** The faults of the answer about a group. All its merchants have one currency. */
export function faultsOfGroup(answer: unknown, truth: DayTruth): string[] {
  const parsed = groupSchema.safeParse(answer);
  if (!parsed.success) return [`is not a page of a group: ${parsed.error.message}`];
  const sums = Object.values(parsed.data.byCurrency);
  return [
    ...faultsOfPage(parsed.data),
    ...(sums.length === 1 ? [] : [`${sums.length} currencies`]),
    ...sums.flatMap((sum) => faultsOfFigures(sum, truth)),
  ];
}

/** The faults of a group's sealed page. @param corrected merchants whose page before has changed */
export function faultsOfGroupPage(text: string | null, merchants: number, corrected: number): string[] {
  if (text === null) return ['nothing is sealed'];
  const page = pageSchema.parse(JSON.parse(text));
  return [
    ...(page.merchants.length === merchants ? [] : [`${page.merchants.length} of ${merchants} merchants`]),
    ...(page.corrections.length === corrected
      ? []
      : [`${page.corrections.length} of ${corrected} corrections`]),
  ];
}

/** The faults in what a statement wrote into the bucket and the mailbox. @param own the start of the statement's and of its ledger's key */
export function faultsOfTaken({ objects, mails }: Taken, own: readonly string[]): string[] {
  const faults = own.flatMap((start) => {
    const found = objects.filter(({ key }) => key.startsWith(start)).length;
    return found === 1 ? [] : [`${found} objects under ${start}`];
  });
  return [...faults, ...(mails === 1 ? [] : [`${mails} mails`])];
}
