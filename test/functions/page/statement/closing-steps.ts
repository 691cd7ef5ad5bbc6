import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { formatAmount, parseSum } from '#records/money/money.ts';
import { attachmentBytes } from '#support/readers/mail-source.ts';
import type { Manifest } from '#records/revision/manifest.ts';
import type { Period } from '#records/period/period.ts';
import { reopenedKey } from '#records/revision/closed-statement.ts';
import { defined } from '#support/assertions/index.ts';
import { FIGURES } from '#support/records/manifests.ts';
import type { Statement } from '#page/figures/statement.ts';
import { sealPage, sealPeriod, statementAt } from '#support/statement/statement-world.ts';
import { BUCKET, CODE, type DaybookWorld } from '#support/world/daybook-world.ts';

/** The month that closes, and the one after it. */
export const [CLOSED, NEXT] = ['2026-10', '2026-11'] as const;

/** What a tick finds due is done. @returns the periods of these statements */
export async function tick(world: DaybookWorld, time: string): Promise<string[]> {
  world.clock.setTo(`${time}.000Z`);
  const { items = [] } = await world.plan({ kind: 'statement', scheduledTime: `${time}Z` });
  for (const item of items) await world.statement({ ...item });
  return items.flatMap((item) => ('period' in item ? item.period : []));
}

/** Figures of a day on which so much came in. */
export function paid(
  sum: string,
  { payments = 6, refunded }: { payments?: number; refunded?: string } = {},
): Partial<Manifest> {
  return {
    counts: { ...FIGURES.counts, paid: payments, total: payments + 4 },
    amounts: { ...defined(FIGURES.amounts ?? undefined), paid: sum },
    ...(refunded !== undefined && {
      refunds: { ...FIGURES.refunds, byStatus: { approved: { count: 1, total: refunded } } },
    }),
  };
}

/** At that time every day of these periods is sealed. */
export async function sealAt(world: DaybookWorld, time: string, ...periods: Period[]): Promise<void> {
  world.clock.setTo(`${time}.000Z`);
  for (const period of periods) await sealPeriod(world, period);
}

/** The day that changes later, with so much that came in. */
export const changeDay = (world: DaybookWorld, revision: number, sum: string) =>
  sealPage(world, { day: '2026-10-05', revision, ...paid(sum) });

/** The month that closes is sealed and stated on the first day after it. The registry says when it closes. */
export async function stateOctober(world: DaybookWorld): Promise<void> {
  await sealAt(world, '2026-11-01T05:00:00', CLOSED);
  await tick(world, '2026-11-01T06:00:00');
}

/** And closed on the sixteenth. */
export async function closeOctober(world: DaybookWorld): Promise<void> {
  await stateOctober(world);
  await tick(world, '2026-11-16T06:00:00');
}

/** A day of the closed month changes, which the statement of the next one tells. @param day of its second revision */
export async function changeClosed(
  world: DaybookWorld,
  day: Partial<Manifest> = paid('61.000'),
): Promise<void> {
  await sealAt(world, '2026-12-01T05:00:00', NEXT);
  await sealPage(world, { day: '2026-10-05', revision: 2, ...day });
  await tick(world, '2026-12-01T06:00:00');
}

/** Reopens a revision as the command does. */
export function reopen(
  world: DaybookWorld,
  { period, revision }: { period: Period; revision: number },
  at: string,
): Promise<void> {
  const record = { merchantCode: CODE, period, revision, at, by: 'arn', why: 'a test' };
  const key = reopenedKey({ owner: { merchantCode: CODE }, period, revision });
  return world.aws.s3.write(BUCKET, key, JSON.stringify(record));
}

/** The newest statement of a period: the one that is closed, or the last. */
export async function standing(world: DaybookWorld, period: Period): Promise<Statement | undefined> {
  const keys = world.keys(`statements/period=${period}/merchant=${CODE}/`);
  const revisions = keys.filter((key) => /\/r\d{4}\.json$/.test(key)).length;
  return revisions === 0 ? undefined : statementAt(world, period, revisions);
}

/** The import files of all mails so far, in their order. */
export async function importFiles(world: DaybookWorld): Promise<{ name: string; text: string }[]> {
  const mails = [...(await world.readMails('statement')), ...(await world.readMails('correction'))];
  return mails
    .flatMap(({ attachments }) => attachments)
    .filter(({ filename }) => filename?.startsWith('books-'))
    .map((file) => ({ name: file.filename ?? '', text: Buffer.from(attachmentBytes(file)).toString() }));
}

const [Label, Amount] = [z.string(), z.string()];
const odooRow = z.object({
  Date: z.string(),
  Label,
  Reference: z.string(),
  Amount,
  unique_import_id: z.string(),
});
export const rowsOf = (text: string) => z.array(odooRow).parse(parse(text, { columns: true }));

/** Books each id once. */
export class Ledger {
  readonly rows = new Map<string, z.infer<typeof odooRow>>();

  book({ text }: { text: string }): void {
    for (const row of rowsOf(text))
      if (!this.rows.has(row.unique_import_id)) this.rows.set(row.unique_import_id, row);
  }

  sum(): string {
    return formatAmount([...this.rows.values()].reduce((sum, { Amount }) => sum + parseSum(Amount), 0n));
  }
}
