import * as z from 'zod';
import type { Settled } from './workers/aws.worker.ts';
import type { DaySize } from './sizes.ts';

const answerSchema = z.object({
  revision: z.int(),
  unchanged: z.boolean(),
  balanced: z.boolean(),
  counts: z.object({ total: z.int() }),
  refunds: z.object({ count: z.int() }),
  mail: z.object({ status: z.string() }),
});

const manifestSchema = z.object({
  balanced: z.boolean(),
  files: z.array(z.object({ table: z.string(), format: z.string(), rows: z.int() })),
});

/** How often the day was reported before. */
export type Turn = 'first' | 'again';

/** The faults of a report's answer; empty if it is right. */
export function faultsOfAnswer(answer: unknown, size: DaySize, turn: Turn): string[] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) return [`is not a report: ${parsed.error.message}`];
  const { revision, unchanged, balanced, counts, refunds, mail } = parsed.data;
  const told = turn === 'first' ? 'sent' : 'already-sent';
  return [
    ...(revision === 1 ? [] : [`revision ${revision}`]),
    ...(unchanged === (turn === 'again') ? [] : [unchanged ? 'unchanged' : 'changed']),
    ...(balanced ? [] : ['not balanced']),
    ...(counts.total === size.invoices ? [] : [`${counts.total} of ${size.invoices} invoices`]),
    ...(refunds.count === size.refunds ? [] : [`${refunds.count} of ${size.refunds} refunds`]),
    ...(mail.status === told ? [] : [`mail ${mail.status}`]),
  ];
}

/** The faults in what a report wrote into the bucket and the mailbox. */
export function faultsOfRemains({ mails, manifest }: Settled, size: DaySize): string[] {
  if (manifest === null) return ['nothing is sealed'];
  const parsed = manifestSchema.safeParse(JSON.parse(manifest));
  if (!parsed.success) return ['the manifest cannot be read'];
  const rows = { invoices: size.invoices, refunds: size.refunds };
  const faults = parsed.data.files.flatMap(({ table, format, rows: sealed }) =>
    sealed === rows[table === 'invoices' ? 'invoices' : 'refunds'] ? [] : [`${sealed} ${table} in ${format}`],
  );
  return [
    ...faults,
    ...(parsed.data.files.length === 4 ? [] : [`${parsed.data.files.length} files`]),
    ...(parsed.data.balanced ? [] : ['sealed, but not balanced']),
    ...(mails === 1 ? [] : [`${mails} mails`]),
  ];
}
