import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { historyKey } from '#records/storage/keys.ts';
import type { Child } from '../child.ts';
import { BUCKET, DAY, LATER_TICK, TICK } from '../days.ts';
import { merchantCodeOf } from '../world.ts';
import type { Settled } from './aws.worker.ts';
import type { DaySize } from './sizes.ts';
import type { Invocation } from './function.worker.ts';
import type { Stage } from './stage.ts';

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
type Turn = 'first' | 'again';

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

/** As many days as a merchant's history has. */
const DAYS = 60;

/**
 * What a daily reported merchant has in the bucket before the next report. Without it a report would look for the manifests
 * of ten weeks, which happens once in a merchant's life, and that would be measured instead.
 */
function historyObject(
  merchantCode: string,
  day: string,
  { invoices, refunds }: DaySize,
): { key: string; text: string } {
  const paid = Math.floor(invoices * 0.7);
  const days = Array.from({ length: DAYS }, (_, back) => ({
    day: addDays(day, -1 - back),
    revision: 1,
    balanced: true,
    counts: { total: invoices, paid, notPaid: invoices - paid, cancelled: 0, other: 0 },
    amounts: { paid: `${paid}.000`, notPaid: `${invoices - paid}.000`, cancelled: '0.000', other: '0.000' },
    refunds: { count: refunds, total: `${refunds}.000` },
  }));
  return { key: historyKey(merchantCode), text: JSON.stringify({ merchantCode, days }) };
}

/** One invocation of `daily-report`, with its merchant and day. */
export interface MeasuredReport extends Omit<Invocation, 'answer'> {
  merchantCode: string;
  invoices: number;
  refunds: number;
}

/** A day after its report. */
interface MeasuredDay extends MeasuredReport {
  /** Of its objects in the bucket, without the history. */
  bytes: number;
}

/** What a fleet needed. Times in milliseconds, sizes in bytes. */
export interface FleetRun {
  /** One for each merchant, in the order of `plan`. */
  days: MeasuredDay[];
  /** A sample of the same days, read again without changes. */
  again: MeasuredReport[];
  plan: Pick<Invocation, 'cpu' | 'wall' | 'peak'>;
  /** Of all reports together, on this machine. */
  wall: number;
  /** Of all reports, including those of days read again. */
  logBytes: number;
}

interface FleetOptions {
  sizes: readonly DaySize[];
  workers: number;
  progress: (done: number, invoices: number) => void;
}

const planSchema = z.object({ itemCount: z.int(), itemsKey: z.string(), rejected: z.array(z.unknown()) });
const itemsSchema = z.array(
  z.object({ merchantCode: z.string(), days: z.array(z.string()), send: z.boolean() }),
);

/** This many merchants at the beginning of a fleet, and its largest ones, are read twice. */
const SAMPLE = 100;

/** Calls `plan`, then the report of each merchant, as the state machine would. Every report is checked. */
export async function runFleet(stage: Stage, options: FleetOptions): Promise<FleetRun> {
  const { sizes, workers, progress } = options;
  await stage.enroll(sizes.length);
  const { plan, merchants } = await runPlan(stage, sizes.length);
  const sizeOf = new Map(sizes.map((size, index) => [merchantCodeOf(index), size] as const));
  const most = Math.max(...sizes.map(({ invoices }) => invoices));
  const largest = sizes.findIndex(({ invoices }) => invoices === most);
  const sampled = new Set([...sizes.keys()].slice(0, SAMPLE).concat(largest).map(merchantCodeOf));

  const environments = await Promise.all(
    Array.from({ length: workers }, () => stage.environment('daily-report')),
  );
  const began = performance.now();
  const days = new Map<string, MeasuredDay>();
  const again: MeasuredReport[] = [];
  let invoices = 0;

  async function reportDay(environment: Child, merchantCode: string): Promise<void> {
    const size = sizeOf.get(merchantCode);
    if (size === undefined) throw new Error(`plan lists ${merchantCode}, which is not in the registry`);
    await stage.payments.ask('seed', { merchantCode, day: DAY, ...size });
    await stage.aws.ask('put', historyObject(merchantCode, DAY, size));
    const measured = await runReport(environment, merchantCode, size, 'first');
    if (sampled.has(merchantCode)) again.push(await runReport(environment, merchantCode, size, 'again'));
    const settled = await stage.aws.ask<Settled>('settle', { merchantCode, day: DAY });
    await stage.payments.ask('drop', merchantCode);
    complain(merchantCode, faultsOfRemains(settled, size));
    days.set(merchantCode, { ...measured, bytes: settled.bytes });
    invoices += size.invoices;
    progress(days.size, invoices);
  }

  const left = merchants.values();
  await Promise.all(
    environments.map(async (environment) => {
      for (const merchantCode of left) await reportDay(environment, merchantCode);
      await environment.close();
    }),
  );
  return {
    days: merchants.flatMap((merchantCode) => days.get(merchantCode) ?? []),
    again,
    plan,
    wall: performance.now() - began,
    logBytes: environments.reduce((sum, environment) => sum + environment.printed(), 0),
  };
}

async function runPlan(stage: Stage, merchants: number) {
  const environment = await stage.environment('plan');
  const event = { kind: 'daily', day: DAY, scheduledTime: TICK };
  const { answer, cpu, wall, peak } = await environment.ask<Invocation>('invoke', event);
  await environment.close();
  const { itemCount, itemsKey, rejected } = planSchema.parse(answer);
  if (itemCount !== merchants || rejected.length > 0) {
    throw new Error(`plan lists ${itemCount} of ${merchants} merchants and rejects ${rejected.length}`);
  }
  const text = await stage.aws.ask<string | null>('read', itemsKey);
  if (text === null) throw new Error(`plan names ${itemsKey}, which is not in ${BUCKET}`);
  const items = itemsSchema.parse(JSON.parse(text));
  return { plan: { cpu, wall, peak }, merchants: items.map(({ merchantCode }) => merchantCode) };
}

/** Runs one report and compares its answer with the day. @throws Error with the merchant */
async function runReport(
  environment: Child,
  merchantCode: string,
  size: DaySize,
  turn: Turn,
): Promise<MeasuredReport> {
  const scheduledTime = turn === 'first' ? TICK : LATER_TICK;
  const event = { merchantCode, day: DAY, send: true, scheduledTime };
  const { answer, ...taken } = await environment.ask<Invocation>('invoke', event).catch((error: unknown) => {
    throw new Error(`merchant ${merchantCode}, ${size.invoices} invoices: ${String(error)}`, {
      cause: error,
    });
  });
  complain(merchantCode, faultsOfAnswer(answer, size, turn));
  return { merchantCode, ...size, ...taken };
}

function complain(merchantCode: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the report of merchant ${merchantCode}: ${faults.join(', ')}`);
}
