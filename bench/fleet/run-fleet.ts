import * as z from 'zod';
import type { Settled } from './workers/aws.worker.ts';
import { faultsOfAnswer, faultsOfRemains, sealedBytes } from './check-report.ts';
import type { Turn } from './check-report.ts';
import type { Invocation } from './workers/function.worker.ts';
import { Pool } from './workers/pool.ts';
import type { DaySize } from './sizes.ts';
import type { LoadedFunction, Stage } from './stage.ts';
import { BUCKET, DAY, LATER_TICK, TICK, merchantCodeOf } from './world.ts';
import { addDays } from '#domain/day/business-day.ts';
import { historyKey } from '#domain/storage/keys.ts';

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
  /** Objects in the bucket: data files, manifest, ledger, history and so on. The bytes do not include the history. */
  objects: number;
  bytes: number;
  /** Bytes of the data files alone, which were on the local disk before. */
  dataBytes: number;
  /** Bytes of the invoices' JSON, by which `plan` knows the merchant's size. */
  invoiceBytes: number;
  /** Since the start of the fleet, milliseconds. */
  doneAt: number;
}

/** What `plan` needed for this number of merchants. */
export interface MeasuredPlan {
  merchants: number;
  cpu: number;
  wall: number;
  peak: number;
}

/** What a fleet needed. Times in milliseconds, sizes in bytes. */
export interface FleetRun {
  merchants: number;
  /** One for each merchant, in the order of `plan`. */
  days: MeasuredDay[];
  /** A sample of the same days, read again without changes. */
  again: MeasuredReport[];
  /** For a part of the fleet, and for all of it. */
  plans: MeasuredPlan[];
  /** What it took to load the code of `daily-report`. */
  load: { cpu: number; wall: number };
  /** Of all reports, including those of days read again. */
  logBytes: number;
  workers: number;
}

export interface FleetOptions {
  /** The fleet sizes of the tables: the first merchants, up to each number, as if they were all. */
  steps: readonly number[];
  sizes: readonly DaySize[];
  workers: number;
  /** MB. */
  memory: number;
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
  const { sizes, steps, workers, memory, progress } = options;
  const plans: MeasuredPlan[] = [];
  let merchants: string[] = [];
  for (const step of steps) {
    await stage.enroll(step);
    const planned = await runPlan(stage, step);
    plans.push(planned.plan);
    merchants = planned.merchants;
  }
  const sizeOf = new Map(sizes.map((size, index) => [merchantCodeOf(index), size] as const));
  const most = Math.max(...sizes.map(({ invoices }) => invoices));
  const largest = sizes.findIndex(({ invoices }) => invoices === most);
  const sampled = new Set([...sizes.keys()].slice(0, SAMPLE).concat(largest).map(merchantCodeOf));

  const environments = await Promise.all(
    Array.from({ length: workers }, () => stage.environment('daily-report', memory)),
  );
  const pool = new Pool(environments);
  const began = performance.now();
  const days = new Map<string, MeasuredDay>();
  const again: MeasuredReport[] = [];
  let invoices = 0;

  async function reportDay(merchantCode: string, size: DaySize): Promise<void> {
    await prepare(stage, merchantCode, DAY, size);
    const report = (turn: Turn) =>
      pool.use((environment) => runReport(environment, merchantCode, size, turn, memory));
    const measured = await report('first');
    if (sampled.has(merchantCode)) again.push(await report('again'));
    const remains = await settle(stage, merchantCode, DAY, size);
    days.set(merchantCode, { ...measured, ...remains, doneAt: performance.now() - began });
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
  await Promise.all(environments.map((environment) => environment.close()));
  return {
    merchants: sizes.length,
    days: merchants.flatMap((merchantCode) => days.get(merchantCode) ?? []),
    again,
    plans,
    load: environments[0]?.load ?? { cpu: 0, wall: 0 },
    logBytes: environments.reduce((sum, environment) => sum + environment.printed(), 0),
    workers,
  };
}

/** MB of `plan` (lib/functions.ts). */
const PLAN_MEMORY = 1_024;

async function runPlan(stage: Stage, merchants: number) {
  const environment = await stage.environment('plan', PLAN_MEMORY);
  const event = { kind: 'daily', day: DAY, scheduledTime: TICK };
  const { answer, cpu, wall, peak } = await environment.ask<Invocation>('invoke', {
    event,
    memory: PLAN_MEMORY,
  });
  await environment.close();
  const { itemCount, itemsKey, rejected } = planSchema.parse(answer);
  if (itemCount !== merchants || rejected.length > 0) {
    throw new Error(`plan lists ${itemCount} of ${merchants} merchants and rejects ${rejected.length}`);
  }
  const text = await stage.aws.ask<string | null>('read', itemsKey);
  if (text === null) throw new Error(`plan names ${itemsKey}, which is not in ${BUCKET}`);
  const items = itemsSchema.parse(JSON.parse(text));
  return { plan: { merchants, cpu, wall, peak }, merchants: items.map(({ merchantCode }) => merchantCode) };
}

/** Runs one report and compares its answer with the day. @throws Error with the merchant */
export async function runReport(
  environment: LoadedFunction,
  merchantCode: string,
  size: DaySize,
  turn: Turn,
  memory: number,
  day = DAY,
): Promise<MeasuredReport> {
  const scheduledTime = turn === 'first' ? TICK : LATER_TICK;
  const event = { merchantCode, day, send: true, scheduledTime };
  const { answer, ...taken } = await environment
    .ask<Invocation>('invoke', { event, memory })
    .catch((error: unknown) => {
      throw new Error(`merchant ${merchantCode}, ${size.invoices} invoices: ${String(error)}`, {
        cause: error,
      });
    });
  complain(merchantCode, faultsOfAnswer(answer, size, turn));
  return { merchantCode, ...size, ...taken };
}

/** Makes the merchant's records of the day, and puts the objects of earlier days into the bucket. */
export async function prepare(stage: Stage, merchantCode: string, day: string, size: DaySize): Promise<void> {
  await stage.payments.ask('seed', { merchantCode, day, ...size });
  await stage.aws.ask('put', historyObject(merchantCode, day, size));
}

/** Checks what a report has written, and removes it together with the merchant's records. */
export async function settle(stage: Stage, merchantCode: string, day: string, size: DaySize) {
  const settled = await stage.aws.ask<Settled>('settle', { merchantCode, day });
  await stage.payments.ask('drop', merchantCode);
  complain(merchantCode, faultsOfRemains(settled, size));
  return { objects: settled.objects, bytes: settled.bytes, ...sealedBytes(settled) };
}

function complain(merchantCode: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the report of merchant ${merchantCode}: ${faults.join(', ')}`);
}
