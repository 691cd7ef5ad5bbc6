import * as z from 'zod';
import type { Settled } from './workers/aws.worker.ts';
import { faultsOfAnswer, faultsOfRemains } from './check-report.ts';
import type { Turn } from './check-report.ts';
import type { Invocation } from './workers/function.worker.ts';
import { Pool } from './workers/pool.ts';
import type { DaySize } from './sizes.ts';
import type { Stage } from './stage.ts';
import type { Child } from './workers/child.ts';
import { BUCKET, DAY, LATER_TICK, TICK, merchantCodeOf } from './world.ts';
import { addDays } from '#records/day/business-day.ts';
import { historyKey } from '#records/storage/keys.ts';

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
export interface MeasuredDay extends MeasuredReport {
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

export interface FleetOptions {
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
/** Merchants whose day is made while others are read. */
const AHEAD = 1;

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
  const pool = new Pool(environments);
  const began = performance.now();
  const days = new Map<string, MeasuredDay>();
  const again: MeasuredReport[] = [];
  let invoices = 0;

  async function reportDay(merchantCode: string, size: DaySize): Promise<void> {
    await stage.payments.ask('seed', { merchantCode, day: DAY, ...size });
    await stage.aws.ask('put', historyObject(merchantCode, DAY, size));
    const report = (turn: Turn) =>
      pool.use((environment) => runReport(environment, merchantCode, size, turn));
    const measured = await report('first');
    if (sampled.has(merchantCode)) again.push(await report('again'));
    const settled = await stage.aws.ask<Settled>('settle', { merchantCode, day: DAY });
    await stage.payments.ask('drop', merchantCode);
    complain(merchantCode, faultsOfRemains(settled, size));
    days.set(merchantCode, { ...measured, bytes: settled.bytes });
    invoices += size.invoices;
    progress(days.size, invoices);
  }

  const left = merchants.values();
  await Promise.all(
    Array.from({ length: workers + AHEAD }, async () => {
      for (const merchantCode of left) {
        const size = sizeOf.get(merchantCode);
        if (size === undefined) throw new Error(`plan lists ${merchantCode}, which is not in the registry`);
        await reportDay(merchantCode, size);
      }
    }),
  );
  const wall = performance.now() - began;
  await Promise.all(environments.map((environment) => environment.close()));
  return {
    days: merchants.flatMap((merchantCode) => days.get(merchantCode) ?? []),
    again,
    plan,
    wall,
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
