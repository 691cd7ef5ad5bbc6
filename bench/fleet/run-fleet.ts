import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stop } from 'esbuild';
import { build } from '#scripts/build.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { FUNCTION_HEAP } from '../measure.ts';
import { startChild } from '../child.ts';
import type { Child } from '../child.ts';
import { functionEnvironment, registryOf, secretsOf, merchantCodeOf } from '../world.ts';
import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { dataKey, historyKey } from '#records/storage/keys.ts';
import { DAY, LATER_TICK, REPORTS, TICK } from '../days.ts';
import type { Settled } from './aws.worker.ts';
import type { DaySize } from './sizes.ts';
import type { Invocation } from './function.worker.ts';

interface Stage {
  payments: Child;
  aws: Child;
  enroll: (merchants: number) => Promise<void>;
  /** A new process that has loaded one function, with the heap of its memory. */
  environment: (functionName: 'plan' | 'daily-report') => Promise<Child>;
  close: () => Promise<void>;
}

/** Invoices on a page of the service, as it sends them by default. */
const PER_PAGE = 15;
/** The memory size of {@link FUNCTION_HEAP}, MB. */
const HEAP_MEMORY = 512;

function heapOf(memory: number): readonly string[] {
  const [young = '', old = ''] = FUNCTION_HEAP;
  return [young, old.replace(/\d+$/, (size) => String(Math.round((Number(size) * memory) / HEAP_MEMORY)))];
}

/** @param merchants the largest number of merchants */
export async function startStage(merchants: number): Promise<Stage> {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-fleet-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const children: Child[] = [];
  const start = (options: Parameters<typeof startChild>[0]) => {
    const child = startChild(options);
    children.push(child);
    return child;
  };
  const close = async () => {
    await Promise.all(children.map((child) => child.close()));
    process.off('exit', remove);
    remove();
  };
  try {
    const built = await build({ outdir: join(directory, 'functions') });
    await stop();
    const payments = start({ file: 'fleet/payments.worker.ts' });
    const aws = start({ file: 'fleet/aws.worker.ts' });
    const origin = await payments.ask<string>('start', { merchants, perPage: PER_PAGE });
    const environment = functionEnvironment(
      await aws.ask<Record<string, string>>('start'),
      origin,
      directory,
    );
    for (const [name, text] of secretsOf(merchants)) await aws.ask('secret', { name, text });
    return {
      payments,
      aws,
      enroll: (count) =>
        aws.ask('putAll', [{ key: 'config/merchants.json', text: registryOf(count, origin) }]),
      environment: async (functionName) => {
        const { memory } = FUNCTIONS[functionName];
        const child = start({ file: 'fleet/function.worker.ts', environment, execArgv: heapOf(memory) });
        const file = built.find(({ name }) => name === functionName)?.file;
        await child.ask('load', { file, memory });
        return child;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const answerSchema = z.object({ batchItemFailures: z.array(z.unknown()).length(0) });

const manifestSchema = z.object({
  revision: z.int(),
  balanced: z.boolean(),
  files: z.array(z.object({ table: z.string(), format: z.string(), rows: z.int() })),
});

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
    ...(parsed.data.revision === 1 ? [] : [`revision ${parsed.data.revision}`]),
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
  const yesterday = addDays(day, -1);
  const toldDays = days.map((known) => ({ day: known.day, seen: 1, told: 1 }));
  const told = { until: yesterday, reported: yesterday, days: toldDays };
  const history = { merchantCode, days, followedFrom: addDays(day, -400), told };
  return { key: historyKey(merchantCode), text: JSON.stringify(history) };
}

/** By its size `plan` knows which message takes long. A byte stands for an invoice. */
function yesterdayOf({ invoices }: DaySize, index: number): { key: string; text: string } {
  const pull = `${DAY.replaceAll('-', '')}T030000Z-00000000`;
  const key = dataKey('invoices', 'json', addDays(DAY, -1), merchantCodeOf(index), pull);
  return { key, text: ' '.repeat(invoices) };
}

export interface MeasuredReport extends Omit<Invocation, 'answer'> {
  merchantCode: string;
  invoices: number;
  refunds: number;
}

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

const messageSchema = z.object({
  merchantCode: z.string(),
  days: z.array(z.literal(DAY)).length(1),
  send: z.literal(true),
  scheduledTime: z.literal(TICK),
});
type Message = Omit<z.infer<typeof messageSchema>, 'scheduledTime'> & { scheduledTime: string };

const planSchema = z.object({ itemCount: z.int(), sent: z.literal(true), rejected: z.array(z.unknown()) });

/** This many merchants at the beginning of a fleet, and its largest ones, are read twice. */
const SAMPLE = 100;

/** Calls `plan`, then `daily-report` with each message that it sent, as an event source does. Every report is checked. */
export async function runFleet(stage: Stage, options: FleetOptions): Promise<FleetRun> {
  const { sizes, workers, progress } = options;
  await stage.enroll(sizes.length);
  await stage.aws.ask('putAll', sizes.map(yesterdayOf));
  const { plan, messages } = await runPlan(stage, sizes.length);
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

  async function reportDay(environment: Child, message: Message): Promise<void> {
    const { merchantCode } = message;
    const size = sizeOf.get(merchantCode);
    if (size === undefined) throw new Error(`plan names ${merchantCode}, which is not in the registry`);
    await stage.payments.ask('seed', { merchantCode, day: DAY, ...size });
    await stage.aws.ask('putAll', [historyObject(merchantCode, DAY, size)]);
    const measured = await deliver(environment, message, size);
    if (sampled.has(merchantCode)) {
      again.push(await deliver(environment, { ...message, scheduledTime: LATER_TICK }, size));
    }
    const settled = await stage.aws.ask<Settled>('settle', { merchantCode, day: DAY });
    await stage.payments.ask('drop', merchantCode);
    complain(merchantCode, faultsOfRemains(settled, size));
    days.set(merchantCode, { ...measured, bytes: settled.bytes });
    invoices += size.invoices;
    progress(days.size, invoices);
  }

  const left = messages.values();
  await Promise.all(
    environments.map(async (environment) => {
      for (const message of left) await reportDay(environment, message);
      await environment.close();
    }),
  );
  return {
    days: messages.flatMap(({ merchantCode }) => days.get(merchantCode) ?? []),
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
  const { itemCount, rejected } = planSchema.parse(answer);
  const bodies = await stage.aws.ask<string[]>('messages');
  const messages = bodies.map((body) => messageSchema.parse(JSON.parse(body)));
  const named = new Set(messages.map(({ merchantCode }) => merchantCode));
  if (
    itemCount !== merchants ||
    named.size !== merchants ||
    bodies.length > merchants ||
    rejected.length > 0
  ) {
    const sent = `${bodies.length} messages for ${named.size} of ${merchants} merchants`;
    throw new Error(`plan sends ${sent}, and rejects ${rejected.length}`);
  }
  return { plan: { cpu, wall, peak }, messages };
}

function eventOf(message: Message) {
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

/** Invokes `daily-report` with a message. @throws Error with the merchant, unless the message is done */
async function deliver(environment: Child, message: Message, size: DaySize): Promise<MeasuredReport> {
  const { merchantCode } = message;
  const asked = environment.ask<Invocation>('invoke', eventOf(message));
  const { answer, ...taken } = await asked.catch((error: unknown) => {
    throw new Error(`merchant ${merchantCode}, ${size.invoices} invoices: ${String(error)}`, {
      cause: error,
    });
  });
  complain(merchantCode, answerSchema.safeParse(answer).success ? [] : ['the message is not done']);
  return { merchantCode, ...size, ...taken };
}

function complain(merchantCode: string, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`the report of merchant ${merchantCode}: ${faults.join(', ')}`);
}
