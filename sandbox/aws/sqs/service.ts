import * as z from 'zod';
import { jsonOf, jsonTargetService, validated } from '../json-target.ts';
import { ServiceError } from '../service.ts';
import type { Service } from '../service.ts';
import { invalid, md5, md5OfAttributes, queueArn, sizeOf, sqsError, systemAttributes } from './protocol.ts';
import type { ReceivedMessage } from './protocol.ts';
import type { MoveTask, QueueSettings, QueueStore } from './queue-store.ts';

const longestBatch = 1_048_576;

// Strict: a member that the sandbox does not apply is refused.
const queueUrl = z.strictObject({ QueueUrl: z.string() });
const queueName = z.strictObject({ QueueName: z.string() });
const attributes = z.record(z.string(), z.string());
const message = z.strictObject({
  MessageBody: z.string(),
  DelaySeconds: z.number().optional(),
  MessageAttributes: z
    .record(z.string(), z.strictObject({ DataType: z.string(), StringValue: z.string().optional() }))
    .optional(),
});
const receive = queueUrl.extend({
  MaxNumberOfMessages: z.number().optional(),
  VisibilityTimeout: z.number().optional(),
  WaitTimeSeconds: z.number().optional(),
  AttributeNames: z.array(z.string()).default([]),
  MessageSystemAttributeNames: z.array(z.string()).default([]),
  MessageAttributeNames: z.array(z.string()).default([]),
});
const receipt = z.strictObject({ ReceiptHandle: z.string() });
const visibility = receipt.extend({ VisibilityTimeout: z.number() });
const id = { Id: z.string() };
const startMove = z.strictObject({ SourceArn: z.string(), DestinationArn: z.string().optional() });
const listMoves = z.strictObject({ SourceArn: z.string(), MaxResults: z.number().min(1).max(10).default(1) });
const anyKey = z.object({
  QueueUrl: z.string().optional(),
  QueueName: z.string().optional(),
  SourceArn: z.string().optional(),
});

/** SQS: standard queues with visibility, delays, dead letters, batches and moves. */
export function sqsService(queues: QueueStore): Service {
  const send = (queue: string, { MessageBody, DelaySeconds, MessageAttributes }: z.infer<typeof message>) => {
    const own = attributesOf(MessageAttributes);
    const MessageId = queues.send(queue, MessageBody, { delay: DelaySeconds, attributes: own });
    return {
      MessageId,
      MD5OfMessageBody: md5(MessageBody),
      MD5OfMessageAttributes: md5OfAttributes(own),
    };
  };
  const remove = (queue: string, { ReceiptHandle }: z.infer<typeof receipt>) => {
    queues.delete(queue, ReceiptHandle);
    return {};
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
      return lastPart(key?.QueueUrl ?? key?.QueueName ?? key?.SourceArn);
    },
    operations: {
      CreateQueue: (input, { headers }) => {
        const { QueueName, Attributes = {} } = validated(
          queueName.extend({ Attributes: attributes.optional() }),
          input,
        );
        if (!/^[\w-]{1,80}$/.test(QueueName))
          throw invalid(
            'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
          );
        if (queues.has(QueueName)) assertSame(QueueName, Attributes, attributesOfQueue(queues, QueueName));
        else queues.put(QueueName, settingsOf(Attributes));
        return { QueueUrl: urlOf(headers.host, QueueName) };
      },
      GetQueueUrl: (input, { headers }) => {
        const { QueueName } = validated(queueName, input);
        queues.queue(QueueName);
        return { QueueUrl: urlOf(headers.host, QueueName) };
      },
      ListQueues: (input, { headers }) => {
        const { QueueNamePrefix = '' } = validated(
          z.strictObject({ QueueNamePrefix: z.string().optional() }),
          input,
        );
        const names = queues.names().filter((name) => name.startsWith(QueueNamePrefix));
        return { QueueUrls: names.map((name) => urlOf(headers.host, name)) };
      },
      GetQueueAttributes: (input) => {
        const { QueueUrl, AttributeNames } = validated(
          queueUrl.extend({ AttributeNames: z.array(z.string()).default([]) }),
          input,
        );
        const all = attributesOfQueue(queues, queueOf(QueueUrl));
        for (const name of AttributeNames)
          if (name !== 'All' && !(name in all) && name !== 'RedrivePolicy') throw unknownAttribute(name);
        return { Attributes: only(all, AttributeNames) };
      },
      SetQueueAttributes: (input) => {
        const { QueueUrl, Attributes } = validated(queueUrl.extend({ Attributes: attributes }), input);
        const queue = queueOf(QueueUrl);
        queues.queue(queue);
        queues.put(queue, settingsOf(Attributes));
        return {};
      },
      PurgeQueue: (input) => {
        queues.purge(queueOf(validated(queueUrl, input).QueueUrl));
        return {};
      },
      SendMessage: (input) => {
        const { QueueUrl, ...sent } = validated(queueUrl.extend(message.shape), input);
        return send(queueOf(QueueUrl), sent);
      },
      SendMessageBatch: (input) => {
        const { QueueUrl, Entries } = validated(batchOf(message.extend(id)), input);
        const bytes = Entries.reduce(
          (sum, { MessageBody, MessageAttributes }) =>
            sum + sizeOf(MessageBody, attributesOf(MessageAttributes)),
          0,
        );
        if (bytes > longestBatch)
          throw sqsError(
            'BatchRequestTooLong',
            `Batch requests cannot be longer than ${longestBatch} bytes. You have sent ${bytes} bytes.`,
          );
        return performAll(queues, QueueUrl, Entries, send);
      },
      ReceiveMessage: async (input, { socket }) => {
        const request = validated(receive, input);
        const { MaxNumberOfMessages: most, VisibilityTimeout: visibilityTimeout } = request;
        const asked = [...request.AttributeNames, ...request.MessageSystemAttributeNames];
        for (const name of asked)
          if (name !== 'All' && !SYSTEM_ATTRIBUTES.has(name)) throw unknownAttribute(name);
        const received = await queues.receiveWithin(
          request.WaitTimeSeconds,
          queueOf(request.QueueUrl),
          { most, visibilityTimeout },
          () => socket.destroyed,
        );
        if (received.length === 0) return {};
        return { Messages: received.map((one) => receivedOf(one, asked, request.MessageAttributeNames)) };
      },
      DeleteMessage: (input) => {
        const { QueueUrl, ...deleted } = validated(queueUrl.extend(receipt.shape), input);
        return remove(queueOf(QueueUrl), deleted);
      },
      DeleteMessageBatch: (input) => {
        const { QueueUrl, Entries } = validated(batchOf(receipt.extend(id)), input);
        return performAll(queues, QueueUrl, Entries, remove);
      },
      ChangeMessageVisibility: (input) => {
        const { QueueUrl, ...changed } = validated(queueUrl.extend(visibility.shape), input);
        return hide(queueOf(QueueUrl), changed);
      },
      ChangeMessageVisibilityBatch: (input) => {
        const { QueueUrl, Entries } = validated(batchOf(visibility.extend(id)), input);
        return performAll(queues, QueueUrl, Entries, hide);
      },
      StartMessageMoveTask: (input) => {
        const { SourceArn, DestinationArn } = validated(startMove, input);
        const source = byArn(queues, 'SourceArn', SourceArn);
        const destination = DestinationArn && byArn(queues, 'DestinationArn', DestinationArn);
        const { startedAt } = queues.move(source, destination);
        return { TaskHandle: Buffer.from(`${SourceArn}/${startedAt}`).toString('base64') };
      },
      ListMessageMoveTasks: (input) => {
        const { SourceArn, MaxResults } = validated(listMoves, input);
        const moves = queues.moves(byArn(queues, 'SourceArn', SourceArn));
        return { Results: moves.slice(0, MaxResults).map(moveOf) };
      },
    },
  });
}

function batchOf<Entry extends z.ZodType>(entry: Entry) {
  return queueUrl.extend({ Entries: z.array(entry) });
}

/** Performs each entry by itself: one that is refused does not hold up the others. */
function performAll<Entry extends { Id: string }>(
  queues: QueueStore,
  url: string,
  entries: readonly Entry[],
  perform: (queue: string, entry: Entry) => object,
): object {
  const queue = queueOf(url);
  queues.queue(queue);
  const ids = new Set<string>();
  if (entries.length === 0)
    throw sqsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (entries.length > 10)
    throw sqsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are 10. You have sent ${entries.length}.`,
    );
  for (const { Id } of entries) {
    if (!/^[\w-]{1,80}$/.test(Id))
      throw sqsError(
        'InvalidBatchEntryId',
        'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
      );
    if (ids.has(Id)) throw sqsError('BatchEntryIdsNotDistinct', `Id ${Id} repeated.`);
    ids.add(Id);
  }
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

const SYSTEM_ATTRIBUTES = new Set([
  'ApproximateReceiveCount',
  'SentTimestamp',
  'SenderId',
  'ApproximateFirstReceiveTimestamp',
  'DeadLetterQueueSourceArn',
]);
/** The attributes that are numbers, with their setting and their bounds. */
const NUMBERS: Record<
  string,
  [setting: Exclude<keyof QueueSettings, 'redrive'>, least: number, most: number]
> = {
  VisibilityTimeout: ['visibilityTimeout', 0, 43_200],
  DelaySeconds: ['delay', 0, 900],
  MessageRetentionPeriod: ['retention', 60, 1_209_600],
  ReceiveMessageWaitTimeSeconds: ['receiveWait', 0, 20],
  MaximumMessageSize: ['maximumMessageSize', 1_024, 1_048_576],
};
const redrivePolicy = z.strictObject({
  deadLetterTargetArn: z.string(),
  maxReceiveCount: z.coerce.number().int().min(1).max(1_000),
});

function settingsOf(given: Record<string, string>): Partial<QueueSettings> {
  const settings: Partial<QueueSettings> = {};
  for (const [name, text] of Object.entries(given)) {
    const number = NUMBERS[name];
    if (number !== undefined) {
      const [setting, least, most] = number;
      if (!/^\d+$/.test(text) || Number(text) < least || Number(text) > most) throw wrongAttribute(name);
      settings[setting] = Number(text);
    } else if (name === 'RedrivePolicy') settings.redrive = redriveOf(text);
    else throw unknownAttribute(name);
  }
  return settings;
}

function redriveOf(text: string): QueueSettings['redrive'] {
  if (text === '') return undefined;
  const policy = redrivePolicy.safeParse(parsed(text)).data;
  if (policy === undefined) throw wrongAttribute('RedrivePolicy');
  const deadLetterQueue = lastPart(policy.deadLetterTargetArn) ?? '';
  if (policy.deadLetterTargetArn !== queueArn(deadLetterQueue)) throw wrongAttribute('RedrivePolicy');
  return { deadLetterQueue, maxReceiveCount: policy.maxReceiveCount };
}

function parsed(text: string): unknown {
  try {
    return jsonOf(text);
  } catch {
    return undefined;
  }
}

function attributesOfQueue(queues: QueueStore, queue: string): Record<string, string> {
  const { created, changed, settings } = queues.queue(queue);
  const { visible, inFlight, delayed } = queues.counts(queue);
  const numbers = Object.entries(NUMBERS).map(([name, [setting]]): [string, string] => [
    name,
    String(settings[setting]),
  ]);
  return {
    ...Object.fromEntries(numbers),
    QueueArn: queueArn(queue),
    CreatedTimestamp: String(Math.floor(created / 1_000)),
    LastModifiedTimestamp: String(Math.floor(changed / 1_000)),
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    ...(settings.redrive !== undefined && {
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: queueArn(settings.redrive.deadLetterQueue),
        maxReceiveCount: settings.redrive.maxReceiveCount,
      }),
    }),
  };
}

function assertSame(queue: string, given: Record<string, string>, existing: Record<string, string>): void {
  const meant = (name: string, text: string | undefined) =>
    name === 'RedrivePolicy' ? JSON.stringify(redrivePolicy.safeParse(parsed(text ?? '')).data) : text;
  for (const [name, text] of Object.entries(given))
    if (meant(name, text) !== meant(name, existing[name]))
      throw sqsError(
        'QueueNameExists',
        `A queue already exists with the same name and a different value for attribute ${name}: ${queue}`,
      );
}

/** The attributes of type `String`; the sandbox has no others. */
function attributesOf(given: z.infer<typeof message>['MessageAttributes'] = {}): Record<string, string> {
  if (Object.keys(given).length > 10)
    throw invalid(
      `Number of message attributes [${Object.keys(given).length}] exceeds the allowed maximum [10].`,
    );
  return Object.fromEntries(
    Object.entries(given).map(([name, { DataType, StringValue }]) => {
      if (DataType !== 'String') throw invalid(`The sandbox only has the type String, not ${DataType}.`);
      if (!StringValue)
        throw invalid(
          `The message attribute '${name}' must contain a non-empty message attribute value for type 'String'.`,
        );
      return [name, StringValue];
    }),
  );
}

function receivedOf(
  received: ReceivedMessage,
  asked: readonly string[],
  askedOwn: readonly string[],
): object {
  const own = Object.fromEntries(
    Object.entries(received.attributes).filter(([name]) =>
      askedOwn.some((wanted) =>
        wanted.endsWith('.*') ? name.startsWith(wanted.slice(0, -2)) : wanted === 'All' || wanted === name,
      ),
    ),
  );
  return {
    MessageId: received.id,
    ReceiptHandle: received.receiptHandle,
    Body: received.body,
    MD5OfBody: md5(received.body),
    ...(asked.length > 0 && { Attributes: only(systemAttributes(received), asked) }),
    ...(Object.keys(own).length > 0 && {
      MD5OfMessageAttributes: md5OfAttributes(own),
      MessageAttributes: Object.fromEntries(
        Object.entries(own).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      ),
    }),
  };
}

function moveOf({ source, destination, startedAt, toMove, moved, status, failureReason }: MoveTask): object {
  return {
    Status: status,
    SourceArn: queueArn(source),
    DestinationArn: destination && queueArn(destination),
    ApproximateNumberOfMessagesMoved: moved,
    ApproximateNumberOfMessagesToMove: toMove,
    FailureReason: failureReason,
    StartedTimestamp: startedAt,
  };
}

function byArn(queues: QueueStore, parameter: string, arn: string): string {
  const name = lastPart(arn) ?? '';
  if (arn === queueArn(name) && queues.has(name)) return name;
  throw sqsError(
    'ResourceNotFoundException',
    `The resource that you specified for the ${parameter} parameter doesn't exist.`,
  );
}

function queueOf(url: string): string {
  const name = lastPart(url);
  if (name === undefined || !url.includes('/'))
    throw sqsError('InvalidAddress', `The address ${url} is not valid for this endpoint.`);
  return name;
}

/** The name at the end of a queue's URL or ARN, or a name itself. */
function lastPart(address: string | undefined): string | undefined {
  return address?.match(/[^/:]+$/)?.[0];
}

function urlOf(host: string | undefined, queue: string): string {
  return `http://${host}/000000000000/${queue}`;
}

function only(all: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => names.includes(name) || names.includes('All')),
  );
}

function unknownAttribute(name: string): ServiceError {
  return sqsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
}

function wrongAttribute(name: string): ServiceError {
  return sqsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
}
