import { createHash } from 'node:crypto';
import * as z from 'zod';
import { jsonOf, jsonTargetService, validated } from '../json-target.ts';
import { ServiceError, type Service } from '../service.ts';
import { assertSize, queueArn, type MoveTask, type QueueStore, type ReceivedMessage } from './queue-store.ts';

// Strict: a member that the sandbox does not apply is refused.
const queueUrl = z.strictObject({ QueueUrl: z.string() });
const names = z.array(z.string()).default([]);
const hidden = z.int().min(0).max(43_200);
const createQueue = z.strictObject({
  QueueName: z.string().regex(/^[\w-]{1,80}$/),
  Attributes: z
    .strictObject({
      VisibilityTimeout: z.coerce.number().pipe(hidden).optional(),
      MessageRetentionPeriod: z.coerce.number().int().min(60).max(1_209_600).optional(),
      RedrivePolicy: z.string().optional(),
    })
    .default({}),
});
const redrivePolicy = z.strictObject({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.coerce.number().int().min(1).max(1_000),
});
const message = z.strictObject({
  MessageBody: z.string().min(1),
  DelaySeconds: z.int().min(0).max(900).optional(),
  MessageAttributes: z
    .record(z.string(), z.strictObject({ DataType: z.literal('String'), StringValue: z.string().min(1) }))
    .default({}),
});
const receive = queueUrl.extend({
  MaxNumberOfMessages: z.int().min(1).max(10).optional(),
  VisibilityTimeout: hidden.optional(),
  WaitTimeSeconds: z.int().min(0).max(20).default(0),
  MessageSystemAttributeNames: names,
  MessageAttributeNames: names,
});
const receipt = z.strictObject({ ReceiptHandle: z.string() });
const visibility = receipt.extend({ VisibilityTimeout: hidden });
const id = { Id: z.string().regex(/^[\w-]{1,80}$/) };
const startMove = z.strictObject({ SourceArn: z.string(), DestinationArn: z.string() });
const listMoves = z.strictObject({ SourceArn: z.string() });
const anyKey = z.object({
  QueueUrl: z.string().optional(),
  QueueName: z.string().optional(),
  SourceArn: z.string().optional(),
});

/** SQS: standard queues with visibility timeouts, delays, dead-letter queues, batches and message move tasks. */
export function sqsService(queues: QueueStore): Service {
  const send = (queue: string, { MessageBody, DelaySeconds, MessageAttributes }: z.infer<typeof message>) => {
    const attributes = attributesOf(MessageAttributes);
    const MessageId = queues.send(queue, MessageBody, { delay: DelaySeconds, attributes });
    return { MessageId, MD5OfMessageBody: md5(MessageBody) };
  };
  const hide = (queue: string, { ReceiptHandle, VisibilityTimeout }: z.infer<typeof visibility>) => {
    queues.changeVisibility(queue, ReceiptHandle, VisibilityTimeout);
    return {};
  };
  return jsonTargetService({
    name: 'sqs',
    version: '1.0',
    target: 'AmazonSQS',
    keyOf: (input) => {
      const key = anyKey.safeParse(input).data;
      return lastPart(key?.QueueUrl ?? key?.QueueName ?? key?.SourceArn ?? '');
    },
    operations: {
      CreateQueue: (input, { headers }) => {
        const { QueueName, Attributes } = validated(createQueue, input);
        const { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy } = Attributes;
        queues.put(QueueName, {
          ...(VisibilityTimeout !== undefined && { visibilityTimeout: VisibilityTimeout }),
          ...(MessageRetentionPeriod !== undefined && { retention: MessageRetentionPeriod }),
          ...(RedrivePolicy !== undefined && { redrive: redriveOf(RedrivePolicy) }),
        });
        return { QueueUrl: `http://${headers.host}/000000000000/${QueueName}` };
      },
      GetQueueUrl: (input, { headers }) => {
        const { QueueName } = validated(z.object({ QueueName: z.string() }), input);
        queues.settings(QueueName);
        return { QueueUrl: `http://${headers.host}/000000000000/${QueueName}` };
      },
      GetQueueAttributes: (input) => {
        const { QueueUrl, AttributeNames } = validated(queueUrl.extend({ AttributeNames: names }), input);
        return { Attributes: only(attributesOfQueue(queues, lastPart(QueueUrl)), AttributeNames) };
      },
      SendMessage: (input) => {
        const { QueueUrl, ...sent } = validated(queueUrl.extend(message.shape), input);
        return send(lastPart(QueueUrl), sent);
      },
      SendMessageBatch: (input) => {
        const { QueueUrl, Entries } = validated(batchOf(message.extend(id)), input);
        assertSize(
          Entries.map(({ MessageBody, MessageAttributes }) => ({
            body: MessageBody,
            attributes: attributesOf(MessageAttributes),
          })),
        );
        return performAll(queues, lastPart(QueueUrl), Entries, send);
      },
      ReceiveMessage: async (input, { socket }) => {
        const request = validated(receive, input);
        const received = await queues.receiveWithin(
          request.WaitTimeSeconds,
          lastPart(request.QueueUrl),
          { most: request.MaxNumberOfMessages, visibilityTimeout: request.VisibilityTimeout },
          () => socket.destroyed,
        );
        return { Messages: received.map((one) => receivedOf(one, request)) };
      },
      DeleteMessage: (input) => {
        const { QueueUrl, ReceiptHandle } = validated(queueUrl.extend(receipt.shape), input);
        queues.delete(lastPart(QueueUrl), ReceiptHandle);
        return {};
      },
      ChangeMessageVisibility: (input) => {
        const { QueueUrl, ...changed } = validated(queueUrl.extend(visibility.shape), input);
        return hide(lastPart(QueueUrl), changed);
      },
      ChangeMessageVisibilityBatch: (input) => {
        const { QueueUrl, Entries } = validated(batchOf(visibility.extend(id)), input);
        return performAll(queues, lastPart(QueueUrl), Entries, hide);
      },
      StartMessageMoveTask: (input) => {
        const { SourceArn, DestinationArn } = validated(startMove, input);
        const { startedAt } = queues.move(lastPart(SourceArn), lastPart(DestinationArn));
        return { TaskHandle: Buffer.from(`${SourceArn}/${startedAt}`).toString('base64') };
      },
      ListMessageMoveTasks: (input) => {
        const [newest] = queues.moves(lastPart(validated(listMoves, input).SourceArn));
        return { Results: newest === undefined ? [] : [moveOf(newest)] };
      },
    },
  });
}

function batchOf<Entry extends z.ZodType<{ Id: string }>>(entry: Entry) {
  const entries = z
    .array(entry)
    .min(1)
    .max(10)
    .refine((all) => new Set(all.map(({ Id }) => Id)).size === all.length, 'An Id is there twice.');
  return queueUrl.extend({ Entries: entries });
}

/** Performs each entry by itself: one that is refused does not hold up the others. */
function performAll<Entry extends { Id: string }>(
  queues: QueueStore,
  queue: string,
  entries: readonly Entry[],
  perform: (queue: string, entry: Entry) => object,
): object {
  queues.settings(queue);
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    const { Id } = entry;
    try {
      Successful.push({ Id, ...perform(queue, entry) });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      Failed.push({ Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful, Failed };
}

function redriveOf(text: string) {
  const { deadLetterTargetArn, maxReceiveCount } = validated(redrivePolicy, jsonOf(text));
  return { deadLetterQueue: lastPart(deadLetterTargetArn), maxReceiveCount };
}

function attributesOfQueue(queues: QueueStore, queue: string): Record<string, string> {
  const { visibilityTimeout, retention, redrive } = queues.settings(queue);
  const { visible, inFlight, delayed } = queues.counts(queue);
  return {
    QueueArn: queueArn(queue),
    VisibilityTimeout: String(visibilityTimeout),
    MessageRetentionPeriod: String(retention),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    ...(redrive !== undefined && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: queueArn(redrive.deadLetterQueue),
        maxReceiveCount: redrive.maxReceiveCount,
      }),
    }),
  };
}

function attributesOf(given: z.infer<typeof message>['MessageAttributes']): Record<string, string> {
  return Object.fromEntries(Object.entries(given).map(([name, { StringValue }]) => [name, StringValue]));
}

function receivedOf(
  received: ReceivedMessage,
  asked: Pick<z.infer<typeof receive>, 'MessageSystemAttributeNames' | 'MessageAttributeNames'>,
): object {
  const own = Object.entries(only(received.attributes, asked.MessageAttributeNames));
  return {
    MessageId: received.id,
    ReceiptHandle: received.receiptHandle,
    Body: received.body,
    MD5OfBody: md5(received.body),
    Attributes: only(systemAttributes(received), asked.MessageSystemAttributeNames),
    ...(own.length > 0 && {
      MessageAttributes: Object.fromEntries(
        own.map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
    }),
  };
}

/** What the service tells of a received message, in its own names. */
export function systemAttributes({ receives, sentAt, firstReceivedAt, deadLetterOf }: ReceivedMessage) {
  return {
    ApproximateReceiveCount: String(receives),
    SentTimestamp: String(sentAt),
    SenderId: '000000000000',
    ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    ...(deadLetterOf !== undefined && { DeadLetterQueueSourceArn: queueArn(deadLetterOf) }),
  };
}

function moveOf({ source, destination, startedAt, moved }: MoveTask): object {
  return {
    Status: 'COMPLETED',
    SourceArn: queueArn(source),
    DestinationArn: queueArn(destination),
    ApproximateNumberOfMessagesMoved: moved,
    StartedTimestamp: startedAt,
  };
}

/** As hexadecimal digits. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/** The name at the end of a queue's URL or ARN, or a name itself. */
function lastPart(address: string): string {
  return /[^/:]*$/.exec(address)?.[0] ?? '';
}

function only(all: Record<string, string>, wanted: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => wanted.includes(name) || wanted.includes('All')),
  );
}
