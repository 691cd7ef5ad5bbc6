import * as z from 'zod';
import type { Settled } from './workers/aws.worker.ts';
import { faultsOfAnswer, faultsOfRemains, sealedBytes } from './check-report.ts';
import type { Turn } from './check-report.ts';
import type { Invocation } from './workers/function.worker.ts';
import { historyObject } from './history.ts';
import type { DaySize } from './sizes.ts';
import type { LoadedFunction, Stage } from './stage.ts';
import { BUCKET, DAY, LATER_TICK, TICK, merchantCodeOf } from './world.ts';

/** One invocation of `daily-report`, with what it was about. */
export interface MeasuredReport extends Omit<Invocation, 'answer'> {
  merchantCode: string;
  invoices: number;
  refunds: number;
}

/** A day as its report left it. */
export interface MeasuredDay extends MeasuredReport {
  /** In the bucket: data files, manifest, ledger, history and so on; the bytes are without the history. */
  objects: number;
  bytes: number;
  /** Of the data files alone, which were on the local disk before. */
  dataBytes: number;
  /** Since the fleet began, milliseconds. */
  doneAt: number;
}

/** What `plan` took for so many merchants. */
export interface MeasuredPlan {
  merchants: number;
  cpu: number;
  wall: number;
  peak: number;
}

/** What a fleet took. Times in milliseconds, sizes in bytes. */
export interface FleetRun {
  merchants: number;
  /** One for each merchant, in the order in which `plan` lists them. */
  days: MeasuredDay[];
  /** The same days read again with nothing changed, of a sample. */
  again: MeasuredReport[];
  /** For a part of the fleet, and for all of it. */
  plans: MeasuredPlan[];
  /** What loading the code of `daily-report` took. */
  load: { cpu: number; wall: number };
  /** Of all reports, those that were read again included. */
  logBytes: number;
  workers: number;
}

export interface FleetOptions {
  /** Sizes of fleet that are told apart: the first so many merchants, as if they were all. */
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

/** So many merchants at the beginning of a fleet, and its largest, are read twice. */
const SAMPLE = 100;
/** Merchants whose day is being made while others are read. */
const AHEAD = 1;

/** Lets `plan` say whom, and runs the report of each, as the state machine would; every report is checked. */
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
  const idle = [...environments];
  const wanting: ((environment: LoadedFunction) => void)[] = [];
  const began = performance.now();
  const days = new Map<string, MeasuredDay>();
  const again: MeasuredReport[] = [];
  let invoices = 0;

  async function onIdle<T>(use: (environment: LoadedFunction) => Promise<T>): Promise<T> {
    const environment = idle.pop() ?? (await new Promise<LoadedFunction>((free) => wanting.push(free)));
    try {
      return await use(environment);
    } finally {
      const next = wanting.shift();
      if (next === undefined) idle.push(environment);
      else next(environment);
    }
  }

  async function reportDay(merchantCode: string, size: DaySize): Promise<void> {
    await prepare(stage, merchantCode, DAY, size);
    const report = (turn: Turn) =>
      onIdle((environment) => runReport(environment, merchantCode, size, turn, memory));
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
        if (size === undefined) throw new Error(`plan lists ${merchantCode}, who is not in the registry`);
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

/** Runs one report and holds its answer against what the day has. @throws Error naming the merchant */
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

/** Makes the merchant's records of the day, and puts into the bucket what earlier days have left there. */
export async function prepare(stage: Stage, merchantCode: string, day: string, size: DaySize): Promise<void> {
  await stage.payments.ask('seed', { merchantCode, day, ...size });
  await stage.aws.ask('put', historyObject(merchantCode, day, size));
}

/** Looks at what a report has left, and takes it and the merchant's records away. */
export async function settle(stage: Stage, merchantCode: string, day: string, size: DaySize) {
  const settled = await stage.aws.ask<Settled>('settle', { merchantCode, day });
  await stage.payments.ask('drop', merchantCode);
  complain(merchantCode, faultsOfRemains(settled, size));
  return { objects: settled.objects, bytes: settled.bytes, dataBytes: sealedBytes(settled) };
}

function complain(merchantCode: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the report of merchant ${merchantCode}: ${faults.join(', ')}`);
}
