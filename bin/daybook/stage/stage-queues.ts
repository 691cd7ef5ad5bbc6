import { setTimeout as wait } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  ReceiveMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { ListMessageMoveTasksResultEntry, Message } from '@aws-sdk/client-sqs';
import pLimit from 'p-limit';
import * as z from 'zod';
import type { QueueName } from '#lib/functions.ts';
import { daysMessageSchema, statementMessageSchema } from '#runtime/queue-message.ts';
import type { Day } from '#records/day/business-day.ts';
import { daysOf } from '#records/period/period.ts';
import { requestHandler } from '#runtime/aws-clients.ts';
import { queueUrl, REASON } from '#runtime/queues.ts';
import { jsonOrNothing } from '../files.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { counted, firstNamed } from '../terminal/shown-text.ts';
import type { Stage } from './stage.ts';

export interface FailedDay {
  day: Day;
  /** The name of the error. `null`: the runs died, or more days failed than a reason has room for. */
  error: string | null;
}

export interface QueueCounts {
  name: QueueName;
  /** Messages that wait, come back later or are being done. */
  waiting: number;
  putAside: number;
}

/** What waits and what was put aside, a line for each queue that has something. */
export function queueLines(queues: readonly QueueCounts[]): string[] {
  return queues.flatMap(({ name, waiting, putAside }) =>
    waiting + putAside > 0
      ? [`Queue ${name}: ${counted(waiting, 'message')} to be done, ${putAside} put aside`]
      : [],
  );
}

/** A message that was put aside (docs/queues.md). */
export interface DeadLetter {
  queue: QueueName;
  /** `undefined`: it is no message of this version. */
  message: z.infer<typeof messageSchema> | undefined;
  /** Why, in words. `null`: every run that received it died. */
  reason: string | null;
  /** Which of its days failed. None of a statement. */
  failed: readonly FailedDay[];
  /** Since when it lies there; since when it was in the queue, if its runs died. ISO 8601, UTC. */
  since: string;
}

const messageSchema = z.union([daysMessageSchema, statementMessageSchema]);

const redriveSchema = z.object({ deadLetterTargetArn: z.string() });

/** SQS takes so many in one request. */
const BATCH = 10;
/** While it is read, a dead letter is hidden for so long. Seconds. */
const HIDDEN_FOR = 60;
/** Between two looks at a move. Milliseconds. */
const MOVE_LOOK = 500;

/** The queues of a stage, as a person looks at them. Every method throws what the AWS SDK throws. */
export class StageQueues {
  readonly #urls: Stage['queues'];
  readonly #client = new SQSClient({
    maxAttempts: 4,
    requestHandler: requestHandler(10_000),
    useQueueUrlAsEndpoint: false,
  });

  constructor({ queues }: Pick<Stage, 'queues'>) {
    this.#urls = queues;
  }

  /** How many messages wait, come back later or are being done. SQS counts about, and up to a minute late. */
  async left(name: QueueName): Promise<number> {
    return (await this.#look(this.#urls[name])).messages;
  }

  /** What the queues have, counted as by {@link left}. */
  counts(names: readonly QueueName[]): Promise<QueueCounts[]> {
    const ofOne = async (name: QueueName): Promise<QueueCounts> => {
      const { messages: waiting, deadLettersUrl } = await this.#places(name);
      return { name, waiting, putAside: (await this.#look(deadLettersUrl)).messages };
    };
    return Promise.all(names.map(ofOne));
  }

  /** The dead letters of a queue, oldest first. Nothing is hidden any more when they are known. */
  async deadLetters(name: QueueName): Promise<DeadLetter[]> {
    const { deadLettersUrl: QueueUrl } = await this.#places(name);
    const { messages: expected } = await this.#look(QueueUrl);
    if (expected === 0) return [];
    const found = new Map<string, Message>();
    try {
      for (let known = -1; known < found.size;) {
        known = found.size;
        const { Messages = [] } = await this.#client.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: BATCH,
            VisibilityTimeout: HIDDEN_FOR,
            // With a wait, SQS asks all of its servers.
            WaitTimeSeconds: known < expected ? 1 : 0,
            MessageAttributeNames: [REASON],
            MessageSystemAttributeNames: ['SentTimestamp'],
          }),
        );
        for (const message of Messages) found.set(message.MessageId ?? '', message);
      }
    } finally {
      await this.#giveBack(QueueUrl, [...found.values()]);
    }
    const letters = [...found.values()].map(({ Body = '', Attributes, MessageAttributes }): DeadLetter => {
      const message = messageIn(Body);
      const reason = MessageAttributes?.[REASON]?.StringValue ?? null;
      const days = message !== undefined && 'days' in message ? message.days : [];
      const since = new Date(Number(Attributes?.SentTimestamp ?? 0)).toISOString();
      return { queue: name, message, reason, failed: failedDays(days, reason), since };
    });
    return letters.sort((one, other) => Date.parse(one.since) - Date.parse(other.since));
  }

  /**
   * Moves all dead letters back to their queue, or follows a move that runs already.
   *
   * @param moved told how many are moved so far
   * @returns how many were moved
   * @throws {CommandError} when the move ends otherwise
   */
  async moveBack(name: QueueName, moved: (count: number) => void): Promise<number> {
    const { arn, deadLettersArn: SourceArn } = await this.#places(name);
    const before = await this.#newestMove(SourceArn);
    const isMoving = before?.Status === 'RUNNING';
    if (!isMoving)
      // A message that a worker put aside has no source of its own.
      await this.#client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn: arn }));
    for (;;) {
      const move = await this.#newestMove(SourceArn);
      const isOlder = !isMoving && move?.StartedTimestamp === before?.StartedTimestamp;
      const count = isOlder ? 0 : (move?.ApproximateNumberOfMessagesMoved ?? 0);
      moved(count);
      if (!isOlder && move?.Status === 'COMPLETED') return count;
      if (!isOlder && move?.Status !== 'RUNNING')
        throw new CommandError(
          `SQS moved ${count} messages back to the queue ${name}, and ended: ${move?.FailureReason ?? move?.Status ?? 'no reason is known'}`,
        );
      await wait(MOVE_LOOK);
    }
  }

  async #newestMove(SourceArn: string): Promise<ListMessageMoveTasksResultEntry | undefined> {
    const { Results } = await this.#client.send(new ListMessageMoveTasksCommand({ SourceArn }));
    return Results?.[0];
  }

  async #places(name: QueueName) {
    const { arn, deadLettersArn, messages } = await this.#look(this.#urls[name]);
    if (deadLettersArn === undefined) throw new CommandError(`the queue ${name} has no dead letters`);
    return { arn, messages, deadLettersArn, deadLettersUrl: queueUrl(deadLettersArn) };
  }

  async #look(QueueUrl: string) {
    const { Attributes = {} } = await this.#client.send(
      new GetQueueAttributesCommand({
        QueueUrl,
        AttributeNames: [
          'QueueArn',
          'RedrivePolicy',
          'ApproximateNumberOfMessages',
          'ApproximateNumberOfMessagesNotVisible',
          'ApproximateNumberOfMessagesDelayed',
        ],
      }),
    );
    const { QueueArn: arn = '', RedrivePolicy: policy = '', ...counts } = Attributes;
    const messages = Object.values(counts).reduce((sum, count) => sum + Number(count), 0);
    const deadLettersArn = redriveSchema.safeParse(jsonOrNothing(policy)).data?.deadLetterTargetArn;
    return { arn, deadLettersArn, messages };
  }

  async #giveBack(QueueUrl: string, messages: readonly Message[]): Promise<void> {
    const entries = messages.map(({ ReceiptHandle }, index) => ({
      Id: index.toString(),
      ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    const batches = Map.groupBy(entries, (_, index) => Math.floor(index / BATCH)).values();
    await pLimit(BATCH).map([...batches], (Entries) =>
      this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries })),
    );
  }
}

/** A message as the worker reads it. `undefined`: it is none of this version. */
export function messageIn(body: string): DeadLetter['message'] {
  return messageSchema.safeParse(jsonOrNothing(body)).data;
}

const DAY_AND_ERROR = /(?:^|; )(\d{4}-\d\d-\d\d): (\w+)/g;
const WHOLE_MESSAGE = /^the message: (\w+)/;
/** Characters; a longer reason is cut. */
const LONGEST_REASON = 2_000;

/**
 * The days of a message that failed, by the reason of the worker: `2026-11-20: LoginRefusedError: …; 2026-11-21: …`. All of
 * them where it names none, and those after the last that it has room for.
 */
export function failedDays(days: readonly Day[], reason: string | null): FailedDay[] {
  const matches = [...(reason ?? '').matchAll(DAY_AND_ERROR)];
  const named = new Map(matches.map(([, day = '', error = '']) => [day, error] as const));
  const last = days.findLastIndex((day) => named.has(day));
  if (last < 0) {
    const error = WHOLE_MESSAGE.exec(reason ?? '')?.[1] ?? null;
    return days.map((day) => ({ day, error }));
  }
  const isCut = reason?.length === LONGEST_REASON;
  return days
    .filter((day, index) => named.has(day) || (isCut && index > last))
    .map((day) => ({ day, error: named.get(day) ?? null }));
}

/** Whose message it is, and of what: `700001`, and `2026-11-01 to 2026-11-20 (20 days)` or `2026-11-20 and 3 more`. */
export function subjectOf(message: DeadLetter['message']): { whose: string; what: string } {
  if (message === undefined) return { whose: '-', what: 'no message of this version' };
  const whose = message.merchantCode ?? ('group' in message ? `group ${message.group ?? '-'}` : '-');
  if (!('days' in message)) return { whose, what: message.period };
  const [from = '', to = ''] = [message.days.at(0), message.days.at(-1)];
  const isRange = from < to && daysOf({ from, to }).join() === message.days.join();
  return {
    whose,
    what: isRange ? `${from} to ${to} (${message.days.length} days)` : firstNamed(message.days, 1),
  };
}
