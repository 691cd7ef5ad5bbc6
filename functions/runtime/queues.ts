import { setTimeout } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import pLimit from 'p-limit';
import * as z from 'zod';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { requestHandler } from './aws-clients.ts';

/** SQS failed or refused, after the SDK's own retries. Names the operation and the queue. */
export class QueueError extends DaybookError {
  override readonly name = 'QueueError';
}

/** The message attribute that says why a message is in the dead-letter queue. */
export const REASON = 'reason';

/** Messages of one request: SQS's limit. */
const BATCH = 10;
const AT_ONCE = 10;
/** SQS may refuse a part of a batch for its own reasons. */
const TRIES = 4;
/** Milliseconds. */
const FIRST_PAUSE = 100;

const redriveSchema = z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number() });

/** The redrive policy of a queue: the ARN of its dead-letter queue, and after how many receives a message goes there. */
export interface Redrive {
  deadLetters: string;
  maxReceiveCount: number;
}

export function queueUrl(arnOrUrl: string): string {
  const [, , , region, account, name] = arnOrUrl.startsWith('arn:') ? arnOrUrl.split(':') : [];
  return name === undefined ? arnOrUrl : `https://sqs.${region}.amazonaws.com/${account}/${name}`;
}

export function queueName(arnOrUrl: string): string {
  return arnOrUrl.slice(arnOrUrl.search(/[^:/]*$/));
}

/** Queues of SQS, each named by its ARN or its URL. Every method throws {@link QueueError} when SQS fails. */
export class Queues {
  readonly #client: SQSClient;
  readonly #redrives = new Map<string, Redrive | undefined>();

  constructor() {
    // The origin is the region's, or that of the variable: a message must not lead elsewhere.
    this.#client = new SQSClient({
      maxAttempts: 4,
      requestHandler: requestHandler(10_000),
      useQueueUrlAsEndpoint: false,
    });
  }

  /** Sends each as a message of JSON, in batches of ten, about in this order. @param delay seconds, at most 900 */
  async send(queue: string, messages: readonly object[], delay = 0): Promise<void> {
    const batches = Array.from({ length: Math.ceil(messages.length / BATCH) }, (_, index) =>
      messages.slice(index * BATCH, (index + 1) * BATCH),
    );
    await pLimit(AT_ONCE).map(batches, (batch) => this.#sendBatch(queue, batch, delay));
  }

  async #sendBatch(queue: string, messages: readonly object[], delay: number): Promise<void> {
    let left = messages.map((message, index): SendMessageBatchRequestEntry => ({
      Id: index.toString(),
      MessageBody: JSON.stringify(message),
      DelaySeconds: delay,
    }));
    for (let attempt = 1; ; attempt += 1) {
      const Entries = left;
      const { Failed = [] } = await named('SendMessageBatch', queue, () =>
        this.#client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl(queue), Entries })),
      );
      const [first] = Failed;
      if (first === undefined) return;
      if (attempt === TRIES) throw failure('SendMessageBatch', queue, first.Code);
      left = left.filter(({ Id }) => Failed.some((failed) => failed.Id === Id));
      await setTimeout(FIRST_PAUSE * 2 ** attempt);
    }
  }

  /** Sends a message with the reason why it was not done. @param queue the dead-letter queue @param body as it came */
  async putAside(queue: string, body: string, reason: string): Promise<void> {
    const MessageAttributes = { [REASON]: { DataType: 'String', StringValue: reason } };
    await named('SendMessage', queue, () =>
      this.#client.send(
        new SendMessageCommand({ QueueUrl: queueUrl(queue), MessageBody: body, MessageAttributes }),
      ),
    );
  }

  /** Sets the visibility timeout: the message comes back after these seconds. @param handle the receipt handle */
  async comeBack(queue: string, handle: string, seconds: number): Promise<void> {
    await named('ChangeMessageVisibility', queue, () =>
      this.#client.send(
        new ChangeMessageVisibilityCommand({
          QueueUrl: queueUrl(queue),
          ReceiptHandle: handle,
          VisibilityTimeout: seconds,
        }),
      ),
    );
  }

  /** Asked once in a process; `undefined` when the queue has no dead-letter queue. */
  async redrive(queue: string): Promise<Redrive | undefined> {
    if (this.#redrives.has(queue)) return this.#redrives.get(queue);
    const { Attributes } = await named('GetQueueAttributes', queue, () =>
      this.#client.send(
        new GetQueueAttributesCommand({ QueueUrl: queueUrl(queue), AttributeNames: ['RedrivePolicy'] }),
      ),
    );
    const policy = redriveSchema.safeParse(JSON.parse(Attributes?.['RedrivePolicy'] ?? 'null')).data;
    const redrive = policy && { deadLetters: policy.deadLetterTargetArn, ...policy };
    this.#redrives.set(queue, redrive);
    return redrive;
  }
}

function failure(operation: string, queue: string, code: string | undefined): QueueError {
  return new QueueError(`SQS ${operation} of ${queueName(queue)} failed: ${code ?? 'UnknownError'}`);
}

async function named<Answer>(operation: string, queue: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw failure(operation, queue, error instanceof Error ? error.name : undefined);
  }
}
