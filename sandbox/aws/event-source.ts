import type { SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { queueArn, type QueueStore, type ReceivedMessage } from './sqs/queue-store.ts';
import { md5, systemAttributes } from './sqs/service.ts';

/** How often a started event source looks, in milliseconds of the machine. */
const lookEvery = 100;

/** What happens to a message: one time; to two invocations, as SQS may; or it is done, and its deletion is lost. */
export type Fate = 'once' | 'twice' | 'not-deleted';

export interface EventSourceOptions {
  queues: QueueStore;
  queue: string;
  batchSize: number;
  maximumConcurrency: number;
  /** The batching window: how many seconds a message waits for others. Default: not at all. */
  maximumBatchingWindow?: number;
  /** Calls the function. What it throws, or does not answer, leaves every message of the event in the queue. */
  invoke: (event: SQSEvent) => Promise<unknown>;
  /** Asked at every receive. Default: `once`. */
  fate?: (record: SQSRecord) => Fate;
  onError?: (error: unknown, event: SQSEvent) => void;
}

/** What Lambda does between a queue and a function: an event source mapping with `ReportBatchItemFailures`. */
export type EventSource = ReturnType<typeof createEventSource>;

const answerSchema = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish() })
  .nullish();

/** An event source that works when it is asked to: for a simulation with its own clock. */
export function createEventSource({
  queues,
  queue,
  batchSize,
  maximumConcurrency,
  maximumBatchingWindow = 0,
  invoke,
  fate = () => 'once',
  onError = () => undefined,
}: EventSourceOptions) {
  const running = new Set<Promise<void>>();
  /** Messages whose second event has no place yet. */
  const again: SQSRecord[][] = [];
  let isStopped = false;
  let looks: NodeJS.Timeout | undefined;

  const mustWait = () => {
    if (maximumBatchingWindow === 0 || queues.counts(queue).visible >= batchSize) return false;
    return (queues.firstVisibleAt(queue) ?? Infinity) + maximumBatchingWindow * 1_000 > queues.now();
  };
  const received = (): SQSRecord[] => {
    const records: SQSRecord[] = [];
    while (records.length < batchSize) {
      const messages = queues.receive(queue, { most: Math.min(10, batchSize - records.length) });
      if (messages.length === 0) break;
      records.push(...messages.map((message) => recordOf(queue, message)));
    }
    return records;
  };
  const run = async (records: SQSRecord[], lost: ReadonlySet<SQSRecord>) => {
    const event = { Records: records };
    try {
      const failed = failedOf(records, await invoke(structuredClone(event)));
      for (const record of records)
        if (!failed.has(record.messageId) && !lost.has(record)) queues.delete(queue, record.receiptHandle);
    } catch (error) {
      onError(error, event);
    }
  };
  const begin = (records: SQSRecord[], lost: ReadonlySet<SQSRecord>) => {
    const invocation = run(records, lost).finally(() => running.delete(invocation));
    running.add(invocation);
  };
  const poll = (waits: boolean): number => {
    let began = 0;
    for (; !isStopped && running.size < maximumConcurrency; began += 1) {
      const repeated = again.shift();
      if (repeated !== undefined) {
        begin(repeated, new Set());
        continue;
      }
      const records = waits && mustWait() ? [] : received();
      if (records.length === 0) break;
      const fates = new Map(records.map((record) => [record, fate(record)]));
      const those = (meant: Fate) => records.filter((record) => fates.get(record) === meant);
      const twice = those('twice');
      if (twice.length > 0) again.push(twice);
      begin(records, new Set(those('not-deleted')));
    }
    return began;
  };
  return {
    /** How many invocations run now. */
    get running() {
      return running.size;
    },
    /** From now on also looks by itself. */
    start: (): void => {
      looks ??= setInterval(() => poll(true), lookEvery);
    },
    /** Begins the invocations for which there are messages and places. @returns how many began */
    pollOnce: (): number => poll(true),
    /** Resolves when nothing in the queue is visible and nothing runs. It does not wait for batching windows. */
    drain: async (): Promise<void> => {
      for (;;) {
        poll(false);
        if (running.size === 0) return;
        await Promise.race(running);
      }
    },
    /** Receives nothing more. Resolves when what runs has ended. For before the sandbox closes. */
    stop: async (): Promise<void> => {
      isStopped = true;
      clearInterval(looks);
      await Promise.all(running);
    },
  };
}

function recordOf(queue: string, message: ReceivedMessage): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributes(message),
    messageAttributes: Object.fromEntries(
      Object.entries(message.attributes).map(([name, stringValue]) => [
        name,
        { stringValue, stringListValues: [], binaryListValues: [], dataType: 'String' },
      ]),
    ),
    md5OfBody: md5(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn(queue),
    awsRegion: 'us-east-1',
  };
}

/** The failed messages. An answer that Lambda does not understand, or with another id, fails all of them. */
function failedOf(records: readonly SQSRecord[], answer: unknown): Set<string> {
  const all = new Set(records.map(({ messageId }) => messageId));
  const understood = answerSchema.safeParse(answer);
  if (!understood.success) return all;
  const failed = (understood.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
}
