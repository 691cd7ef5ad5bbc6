import {
  GetQueueAttributesCommand,
  type Message,
  type QueueAttributeName,
  type ReceiveMessageCommandInput,
} from '@aws-sdk/client-sqs';
import { awsUnderTest } from '#support/aws-contract/aws-under-test.ts';
import { differs } from '#support/aws-contract/known-differences.ts';
import { defined } from '#support/assertions/index.ts';

const aws = await awsUnderTest();
const { sqs } = aws.clients;
let queues = 0;

async function createQueue(Attributes: Partial<Record<QueueAttributeName, string>> = {}): Promise<string> {
  queues += 1;
  const QueueName = `daybook-${aws.mark}-${queues}`;
  return defined((await sqs.createQueue({ QueueName, Attributes })).QueueUrl);
}

async function attributesOf(QueueUrl: string): Promise<Record<string, string>> {
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
  return defined((await sqs.send(asked)).Attributes);
}

async function arnOf(QueueUrl: string): Promise<string> {
  return defined((await attributesOf(QueueUrl))['QueueArn']);
}

/** A queue whose messages go aside when they were received so often. */
async function createWithDeadLetters(maxReceiveCount: number) {
  const aside = await createQueue();
  const deadLetterTargetArn = await arnOf(aside);
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount });
  const queue = await createQueue({ RedrivePolicy, VisibilityTimeout: '0' });
  return { queue, aside, deadLetterTargetArn };
}

async function send(QueueUrl: string, ...bodies: string[]): Promise<void> {
  for (const MessageBody of bodies) await sqs.sendMessage({ QueueUrl, MessageBody });
}

async function receive(
  QueueUrl: string,
  options: Omit<ReceiveMessageCommandInput, 'QueueUrl'> = {},
): Promise<Message[]> {
  const received = await sqs.receiveMessage({
    QueueUrl,
    MaxNumberOfMessages: 10,
    MessageSystemAttributeNames: ['All'],
    ...options,
  });
  return received.Messages ?? [];
}

const bodies = (messages: Message[]) => messages.map(({ Body }) => Body).sort();

/** How many messages are visible, in flight and delayed. */
async function counts(QueueUrl: string): Promise<(string | undefined)[]> {
  const all = await attributesOf(QueueUrl);
  return ['', 'NotVisible', 'Delayed'].map((state) => all[`ApproximateNumberOfMessages${state}`]);
}

test('have what was set', async () => {
  const url = await createQueue({ VisibilityTimeout: '900', MessageRetentionPeriod: '1209600' });
  const all = await attributesOf(url);
  expect(all).toMatchObject({ VisibilityTimeout: '900', MessageRetentionPeriod: '1209600' });
  expect(all['QueueArn']).toMatch(new RegExp(`^arn:aws:sqs:us-east-1:\\d{12}:${url.split('/').at(-1)}$`));
});

test('give a message to one receiver at a time, until it is deleted', async () => {
  const QueueUrl = await createQueue();
  await send(QueueUrl, 'a');
  const [first] = await receive(QueueUrl);
  expect(first).toMatchObject({ Body: 'a', Attributes: { ApproximateReceiveCount: '1' } });
  expect(defined(first?.Attributes)['SentTimestamp']).toMatch(/^\d{13}$/);
  expect(await receive(QueueUrl)).toEqual([]);
  expect(await counts(QueueUrl)).toEqual(['0', '1', '0']);
  const ReceiptHandle = first?.ReceiptHandle;
  await sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
  const [second] = await receive(QueueUrl);
  const again = { MessageId: first?.MessageId, Attributes: { ApproximateReceiveCount: '2' } };
  expect(second).toMatchObject(again);
  expect(second?.ReceiptHandle).not.toBe(ReceiptHandle);
  await sqs.deleteMessage({ QueueUrl, ReceiptHandle: second?.ReceiptHandle });
  // Deleting again, as after a lost answer, is no error.
  await sqs.deleteMessage({ QueueUrl, ReceiptHandle: second?.ReceiptHandle });
  expect(await counts(QueueUrl)).toEqual(['0', '0', '0']);
});

test('obey only the handle of the last receive, and hide only what is in flight', async () => {
  const QueueUrl = await createQueue({ VisibilityTimeout: '0' });
  await send(QueueUrl, 'a');
  const [earlier] = await receive(QueueUrl);
  const [last] = await receive(QueueUrl);
  const hide = ({ ReceiptHandle }: Message = {}) =>
    sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
  if (!differs('handlesStayGood')) {
    await expect(hide(last)).rejects.toMatchObject({ name: 'MessageNotInflight' });
    await expect(hide(earlier)).rejects.toMatchObject({ name: 'InvalidParameterValue' });
  }
  await sqs.deleteMessage({ QueueUrl, ReceiptHandle: earlier?.ReceiptHandle });
  expect(await counts(QueueUrl)).toEqual([differs('handlesStayGood') ? '0' : '1', '0', '0']);
});

test('hold a delayed message back, and a receive waits for it', async () => {
  const QueueUrl = await createQueue();
  await sqs.sendMessage({ QueueUrl, MessageBody: 'late', DelaySeconds: 1 });
  expect(await receive(QueueUrl)).toEqual([]);
  expect(await counts(QueueUrl)).toEqual(['0', '0', '1']);
  expect(bodies(await receive(QueueUrl, { WaitTimeSeconds: 5 }))).toEqual(['late']);
});

test('take and give back attributes and any text', async () => {
  const QueueUrl = await createQueue();
  const MessageBody = '{"name":"متجر","emoji":"🧾"}';
  const MessageAttributes = {
    kind: { DataType: 'String', StringValue: 'report' },
    'a.version': { DataType: 'String', StringValue: '1' },
  };
  const sent = await sqs.sendMessage({ QueueUrl, MessageBody, MessageAttributes });
  const [all] = await receive(QueueUrl, { MessageAttributeNames: ['All'], VisibilityTimeout: 0 });
  expect(all).toMatchObject({ Body: MessageBody, MessageAttributes, MD5OfBody: sent.MD5OfMessageBody });
  const [one] = await receive(QueueUrl, { MessageAttributeNames: ['a.version'], VisibilityTimeout: 0 });
  expect(Object.keys(defined(one?.MessageAttributes))).toEqual(['a.version']);
  const [none] = await receive(QueueUrl);
  expect(none?.MessageAttributes).toBeUndefined();
});

test('work in batches, each entry by itself', async () => {
  const QueueUrl = await createQueue();
  const sent = await sqs.sendMessageBatch({
    QueueUrl,
    Entries: [
      { Id: 'a', MessageBody: 'a' },
      { Id: 'b', MessageBody: 'b' },
      { Id: 'c', MessageBody: 'c', DelaySeconds: 900 },
    ],
  });
  expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['a', 'b', 'c']);
  const [first, second] = await receive(QueueUrl);
  const changed = await sqs.changeMessageVisibilityBatch({
    QueueUrl,
    Entries: [
      { Id: 'good', ReceiptHandle: first?.ReceiptHandle, VisibilityTimeout: 0 },
      { Id: 'bad', ReceiptHandle: 'nothing', VisibilityTimeout: 0 },
    ],
  });
  expect(changed).toMatchObject({
    Successful: [{ Id: 'good' }],
    Failed: [{ Id: 'bad', Code: 'ReceiptHandleIsInvalid' }],
  });
  await sqs.deleteMessage({ QueueUrl, ReceiptHandle: second?.ReceiptHandle });
  expect(await counts(QueueUrl)).toEqual(['1', '0', '1']);
});

test('put a message aside that was received too often', async () => {
  const { queue, aside } = await createWithDeadLetters(2);
  await send(queue, 'bad');
  for (const _twice of [1, 2]) expect(bodies(await receive(queue))).toEqual(['bad']);
  expect(await counts(aside)).toEqual(['0', '0', '0']);
  expect(await receive(queue)).toEqual([]);
  expect(await counts(queue)).toEqual(['0', '0', '0']);
  expect(bodies(await receive(aside))).toEqual(['bad']);
});

test.skipIf(differs('noMoveTasks'))('move what went aside back to a queue, as new messages', async () => {
  const { queue, aside, deadLetterTargetArn: SourceArn } = await createWithDeadLetters(1);
  const DestinationArn = await arnOf(queue);
  await send(queue, 'bad');
  const [before] = await receive(queue);
  await receive(queue);
  // Sent to the dead-letter queue itself, a message came from nowhere.
  await send(aside, 'direct');
  await sqs.startMessageMoveTask({ SourceArn, DestinationArn });
  await expect
    .poll(async () => (await sqs.listMessageMoveTasks({ SourceArn })).Results)
    .toMatchObject([{ Status: 'COMPLETED', SourceArn, ApproximateNumberOfMessagesMoved: 2 }]);
  const after = await receive(queue);
  expect(bodies(after)).toEqual(['bad', 'direct']);
  const moved = after.find(({ Body }) => Body === 'bad');
  expect(moved).toMatchObject({ Attributes: { ApproximateReceiveCount: '1' } });
  expect(moved?.MessageId).not.toBe(before?.MessageId);
  expect(await counts(aside)).toEqual(['0', '0', '0']);
  const nowhere = sqs.startMessageMoveTask({ SourceArn: `${SourceArn}-none`, DestinationArn });
  await expect(nowhere).rejects.toThrow();
});

test('say what is wrong', async () => {
  const QueueUrl = await createQueue();
  const refused: [name: string, request: () => Promise<unknown>][] = [
    ['QueueDoesNotExist', () => sqs.sendMessage({ QueueUrl: `${QueueUrl}-none`, MessageBody: 'x' })],
    ['ReceiptHandleIsInvalid', () => sqs.deleteMessage({ QueueUrl, ReceiptHandle: 'nothing' })],
    ['InvalidParameterValue', () => sqs.sendMessage({ QueueUrl, MessageBody: 'x'.repeat(1_048_577) })],
  ];
  for (const [name, request] of refused) await expect.soft(request(), name).rejects.toMatchObject({ name });
});
