import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { FUNCTIONS } from '#lib/functions.ts';
import { addDays } from '#records/day/business-day.ts';
import { dataKey, historyKey } from '#records/storage/keys.ts';
import { cachedBuild } from '#scripts/cached-build.ts';
import { startChild, type Child } from '../child.ts';
import { DAY, REPORTS, TICK } from '../days.ts';
import { FUNCTION_HEAP } from '../measure.ts';
import { merchantCodeOf } from '../world.ts';
import type { Invocation } from './function.worker.ts';
import type { Settled } from './services.worker.ts';
import type { DaySize } from './sizes.ts';

/** The memory size of {@link FUNCTION_HEAP}, MB. */
const HEAP_MEMORY = 512;

function heapOf(memory: number): readonly string[] {
  const [young = '', old = ''] = FUNCTION_HEAP;
  return [young, old.replace(/\d+$/, (size) => String(Math.round((Number(size) * memory) / HEAP_MEMORY)))];
}

const manifestSchema = z.object({
  revision: z.int(),
  balanced: z.boolean(),
  files: z.array(z.object({ table: z.string(), format: z.string(), rows: z.int() })),
});

/** The faults in what a report wrote into the bucket and the mailbox. */
export function faultsOfRemains({ mails, manifest }: Omit<Settled, 'bytes'>, size: DaySize): string[] {
  if (manifest === null) return ['nothing is sealed'];
  const { revision, balanced, files } = manifestSchema.parse(JSON.parse(manifest));
  return [
    ...files.flatMap(({ table, format, rows }) =>
      rows === size[table === 'invoices' ? 'invoices' : 'refunds'] ? [] : [`${rows} ${table} in ${format}`],
    ),
    ...(revision === 1 ? [] : [`revision ${revision}`]),
    ...(files.length === 4 ? [] : [`${files.length} files`]),
    ...(balanced ? [] : ['sealed, but not balanced']),
    ...(mails === 1 ? [] : [`${mails} mails`]),
  ];
}

/** As many days as a merchant's history has. */
const DAYS = 60;

/** Without a history, a report looks for the manifests of ten weeks. That happens once in a merchant's life. */
function historyObject(merchantCode: string, { invoices, refunds }: DaySize): { key: string; text: string } {
  const paid = Math.floor(invoices * 0.7);
  const days = Array.from({ length: DAYS }, (_, back) => ({
    day: addDays(DAY, -1 - back),
    revision: 1,
    balanced: true,
    counts: { total: invoices, paid, notPaid: invoices - paid, cancelled: 0, other: 0 },
    amounts: { paid: `${paid}.000`, notPaid: `${invoices - paid}.000`, cancelled: '0.000', other: '0.000' },
    refunds: { count: refunds, total: `${refunds}.000` },
  }));
  const yesterday = addDays(DAY, -1);
  const toldDays = days.map((known) => ({ day: known.day, seen: 1, told: 1 }));
  const told = { until: yesterday, reported: yesterday, days: toldDays };
  const history = { merchantCode, days, followedFrom: addDays(DAY, -400), told };
  return { key: historyKey(merchantCode), text: JSON.stringify(history) };
}

/** By its size `plan` knows which message takes long. A byte stands for an invoice. */
function yesterdayOf({ invoices }: DaySize, index: number): { key: string; text: string } {
  const pull = `${DAY.replaceAll('-', '')}T030000Z-00000000`;
  const key = dataKey('invoices', 'json', addDays(DAY, -1), merchantCodeOf(index), pull);
  return { key, text: ' '.repeat(invoices) };
}

interface MeasuredDay extends Omit<Invocation, 'answer'>, DaySize {
  /** Of its objects in the bucket, without the history. */
  bytes: number;
}

export interface FleetRun {
  days: MeasuredDay[];
  plan: Invocation;
  /** Of all reports together, on this machine. Milliseconds. */
  wall: number;
  /** Of all reports. */
  logBytes: number;
}

interface FleetOptions {
  sizes: readonly DaySize[];
  workers: number;
  progress: (done: number, invoices: number) => void;
}

const messageSchema = z.object({
  merchantCode: z.string(),
  days: z.array(z.literal(DAY)).length(1),
  send: z.literal(true),
  scheduledTime: z.literal(TICK),
});

const planSchema = z.object({ sent: z.literal(true), rejected: z.array(z.unknown()).length(0) });
const answerSchema = z.object({ batchItemFailures: z.array(z.unknown()).length(0) });

/** Calls `plan`, then `daily-report` with each message that it sent, as an event source does. Every report is checked. */
export async function runFleet({ sizes, workers, progress }: FleetOptions): Promise<FleetRun> {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-fleet-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const children: Child[] = [];
  const start = (options: Parameters<typeof startChild>[0]) => {
    const child = startChild(options);
    children.push(child);
    return child;
  };
  try {
    const { files } = await cachedBuild();
    const services = start({ file: 'fleet/services.worker.ts' });
    const variables = await services.ask<Record<string, string>>('start', {
      merchants: sizes.length,
      folder,
    });
    await services.ask('putAll', sizes.map(yesterdayOf));
    const load = async (name: 'plan' | 'daily-report') => {
      const { memory } = FUNCTIONS[name];
      const execArgv = heapOf(memory);
      const child = start({ file: 'fleet/function.worker.ts', environment: variables, execArgv });
      await child.ask('load', { file: files.get(name), memory });
      return child;
    };

    const planner = await load('plan');
    const event = { kind: 'daily', day: DAY, scheduledTime: TICK };
    const plan = await planner.ask<Invocation>('invoke', event);
    planSchema.parse(plan.answer);
    const bodies = await services.ask<string[]>('messages');
    const messages = bodies.map((body) => messageSchema.parse(JSON.parse(body)));
    const sizeOf = new Map(sizes.map((size, index) => [merchantCodeOf(index), size]));
    const named = new Set(messages.map(({ merchantCode }) => merchantCode));
    if (named.size !== sizes.length || messages.length !== sizes.length)
      throw new Error(
        `plan sends ${messages.length} messages for ${named.size} of ${sizes.length} merchants`,
      );

    const environments = await Promise.all(Array.from({ length: workers }, () => load('daily-report')));
    const began = performance.now();
    const days: MeasuredDay[] = [];
    let invoices = 0;
    const left = messages.values();
    await Promise.all(
      environments.map(async (environment) => {
        for (const message of left) {
          const { merchantCode } = message;
          const size = sizeOf.get(merchantCode);
          if (size === undefined) throw new Error(`${merchantCode} is not in the registry`);
          await services.ask('seed', { merchantCode, ...size });
          await services.ask('putAll', [historyObject(merchantCode, size)]);
          const { answer, ...taken } = await environment.ask<Invocation>('invoke', eventOf(message));
          const settled = await services.ask<Settled>('settle', merchantCode);
          const isDone = answerSchema.safeParse(answer).success;
          const faults = [...(isDone ? [] : ['the message is not done']), ...faultsOfRemains(settled, size)];
          if (faults.length > 0)
            throw new Error(`the report of ${merchantCode}, ${size.invoices} invoices: ${faults.join(', ')}`);
          days.push({ ...size, ...taken, bytes: settled.bytes });
          invoices += size.invoices;
          progress(days.length, invoices);
        }
      }),
    );
    const wall = performance.now() - began;
    const logBytes = environments.reduce((sum, environment) => sum + environment.printed(), 0);
    return { days, plan, wall, logBytes };
  } finally {
    await Promise.all(children.map((child) => child.close()));
    process.off('exit', remove);
    remove();
  }
}

function eventOf(message: z.infer<typeof messageSchema>) {
  const record = {
    messageId: message.merchantCode,
    receiptHandle: message.merchantCode,
    body: JSON.stringify(message),
    attributes: { ApproximateReceiveCount: '1' },
    messageAttributes: {},
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${REPORTS}`,
    awsRegion: 'us-east-1',
  };
  return { Records: [record] };
}
