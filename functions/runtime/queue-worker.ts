import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import pLimit from 'p-limit';
import { InvalidEventError } from '#records/errors/invalid-event.ts';
import { isMembers } from '#records/json/exact-json.ts';
import type { Queues } from './queues.ts';
import { outward } from './telemetry.ts';
import type { Telemetry } from './telemetry.ts';

/** What failed in a message, such as one of its days. The message of an error never has data. */
export interface Failure {
  about: string;
  error: unknown;
}

export interface Outcome {
  failures: readonly Failure[];
  /** What there was no time for: a message of its own. */
  rest?: object | undefined;
  /** With a rest: the message with only what failed, because another run does the rest meanwhile. */
  failed?: object | undefined;
}

/** Loads SQS's client when it is first needed: most cold starts of workers do without. */
export function lazyQueues(): () => Promise<Queues> {
  let queues: Queues | undefined;
  return async () => {
    const { Queues } = await import('./queues.ts');
    queues ??= new Queues();
    return queues;
  };
}

interface WorkerPorts {
  queues: () => Promise<Pick<Queues, 'send' | 'putAside' | 'comeBack' | 'redrive'>>;
  telemetry: Pick<Telemetry, 'logger' | 'logError' | 'count'>;
}

/** Characters. */
const LONGEST_REASON = 2_000;

export function isQueueEvent(event: unknown): event is SQSEvent {
  const records = isMembers(event) ? event['Records'] : null;
  return Array.isArray(records) && records.length > 0 && records.every(isFromQueue);
}

function isFromQueue(record: unknown): boolean {
  return isMembers(record) && record['eventSource'] === 'aws:sqs';
}

function nameOf({ error }: Failure): string {
  return outward(error).name;
}

function reasonOf(failures: readonly Failure[]): string {
  const reasons = failures.map(({ about, error }) => {
    const { name, message } = outward(error);
    return `${about}: ${name}: ${message}`;
  });
  // SQS refuses other characters.
  return reasons
    .join('; ')
    .replaceAll(/[^\x20-\uD7FF\uE000-\uFFFD]/g, ' ')
    .slice(0, LONGEST_REASON);
}

function bodyOf({ body }: SQSRecord): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new InvalidEventError('body', 'is not JSON');
  }
}

/**
 * Does each message of a batch. What more time may mend comes back after minutes; what a person must mend, and what failed at the
 * last receive, goes to the dead-letter queue with its reason.
 * @param atOnce messages that are done side by side
 * @param perform an error that it throws is the failure of the whole message
 * @returns the messages that come back
 */
export async function workThrough(
  { Records }: SQSEvent,
  ports: WorkerPorts,
  atOnce: number,
  perform: (message: unknown) => Promise<Outcome>,
): Promise<SQSBatchResponse> {
  const left = await pLimit(atOnce).map(Records, async (record) => {
    const isDone = await settle(record, ports, await outcomeOf(record, perform));
    return isDone ? [] : [{ itemIdentifier: record.messageId }];
  });
  return { batchItemFailures: left.flat() };
}

async function outcomeOf(
  record: SQSRecord,
  perform: (message: unknown) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await perform(bodyOf(record));
  } catch (error) {
    return { failures: [{ about: 'the message', error }] };
  }
}

/** Whether the message is done with. If SQS fails, it comes back when its visibility timeout ends. */
async function settle(
  record: SQSRecord,
  ports: WorkerPorts,
  { failures, rest, failed }: Outcome,
): Promise<boolean> {
  if (failures.length === 0 && rest === undefined) return true;
  const { messageId, receiptHandle, body, eventSourceARN: queue } = record;
  const { logger } = ports.telemetry;
  const about = { queue: queue.slice(queue.lastIndexOf(':') + 1), messageId };
  try {
    const queues = await ports.queues();
    if (rest !== undefined) {
      await queues.send(queue, [rest]);
      logger.info('no time was left: the rest is a message of its own', about);
    }
    if (failures.length === 0) return true;
    const receives = Number(record.attributes.ApproximateReceiveCount);
    const redrive = await queues.redrive(queue);
    // Most messages never fail.
    const { secondsUntilBack } = await import('./coming-back.ts');
    // A new message begins with its first receive.
    const range = secondsUntilBack(failures.map(nameOf), failed === undefined ? receives : 1);
    if (redrive !== undefined && (range.lasts || receives >= redrive.maxReceiveCount)) {
      const reason = reasonOf(failures);
      await queues.putAside(
        redrive.deadLetters,
        failed === undefined ? body : JSON.stringify(failed),
        reason,
      );
      ports.telemetry.count('MessagesPutAside', 1);
      logger.error('put aside', { ...about, receives, reason });
      return true;
    }
    // At random: what failed together must not come back together.
    const seconds = Math.round(range.least + Math.random() * (range.most - range.least));
    if (failed === undefined) await queues.comeBack(queue, receiptHandle, seconds);
    else await queues.send(queue, [failed], seconds);
    logger.warn('comes back', { ...about, receives, seconds, errors: failures.map(nameOf) });
    return failed !== undefined;
  } catch (error) {
    ports.telemetry.logError(error);
  }
  return false;
}
