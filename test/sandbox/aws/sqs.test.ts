import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { expect, onTestFinished, test } from 'vitest';
import { knownErrors } from '#sandbox/aws/index.ts';
import { QueueStore } from '#sandbox/aws/sqs/queue-store.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';

const QueueUrl = 'http://127.0.0.1/000000000000/reports';
const DAY = 86_400;

/** A store on a clock that stands still. */
function onClock(directory?: string) {
  const clock = { now: Date.UTC(2026, 10, 27) };
  const open = () => new QueueStore(() => clock.now, directory);
  return { queues: open(), open, pass: (seconds: number) => void (clock.now += seconds * 1_000) };
}

test('queues and messages outlive the process', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'queues-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { queues, open, pass } = onClock(directory);
  queues.put('aside');
  queues.put('reports', { redrive: { deadLetterQueue: 'aside', maxReceiveCount: 1 } });
  queues.send('reports', 'taken', { attributes: { kind: 'report' } });
  queues.send('reports', 'delayed', { delay: 60 });
  const [taken] = queues.receive('reports');
  const before = queues.messages('reports');
  queues.close();
  const again = open();
  expect(again.messages('reports')).toEqual(before);
  expect(before.map(({ body, receives, state }) => [body, receives, state])).toEqual([
    ['taken', 1, 'inFlight'],
    ['delayed', 0, 'delayed'],
  ]);
  again.delete('reports', taken?.receiptHandle ?? '');
  pass(60);
  expect(again.receive('reports')).toMatchObject([{ body: 'delayed' }]);
  pass(60);
  expect(again.receive('reports')).toEqual([]);
  expect(again.messages('aside')).toMatchObject([{ body: 'delayed', deadLetterOf: 'reports' }]);
  again.close();
});

test('a message is dropped when it is too old, counted from its first sending', () => {
  const { queues, pass } = onClock();
  queues.put('aside', { retention: 14 * DAY });
  queues.put('reports', { redrive: { deadLetterQueue: 'aside', maxReceiveCount: 1 } });
  queues.send('reports', 'a');
  queues.receive('reports');
  pass(2 * DAY);
  queues.send('reports', 'b');
  queues.receive('reports', { most: 10 });
  pass(4 * DAY);
  expect(queues.firstVisibleAt('reports')).toBeUndefined();
  expect(queues.totals('reports')).toEqual({ sent: 2, received: 2, deleted: 0, deadLettered: 1, expired: 1 });
  pass(8 * DAY - 1);
  expect(queues.counts('aside')).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
  pass(1);
  expect(queues.messages('aside')).toEqual([]);
});

test('a message stays hidden for 12 hours at most', () => {
  const { queues, pass } = onClock();
  queues.put('reports', { visibilityTimeout: 900 });
  queues.send('reports', 'a');
  const [{ receiptHandle } = { receiptHandle: '' }] = queues.receive('reports');
  pass(600);
  const hide = (seconds: number) => {
    queues.changeVisibility('reports', receiptHandle, seconds);
  };
  expect(() => {
    hide(43_200);
  }).toThrow('Total VisibilityTimeout for the message is beyond the limit');
  hide(42_600);
  pass(42_599);
  expect(queues.receive('reports')).toEqual([]);
  pass(1);
  expect(queues.receive('reports')).toMatchObject([{ body: 'a', receives: 2 }]);
});

test('nothing is taken for a receiver that has gone', async () => {
  const queues = new QueueStore();
  queues.put('reports');
  let isGone = false;
  const received = queues.receiveWithin(20, 'reports', {}, () => isGone);
  isGone = true;
  queues.send('reports', 'a');
  expect(await received).toEqual([]);
  expect(queues.counts('reports').visible).toBe(1);
  const waiting = queues.receiveWithin(20, 'reports', { visibilityTimeout: 0 }, () => false);
  expect(await waiting).toMatchObject([{ body: 'a' }]);
  queues.purge('reports');
  const forEver = queues.receiveWithin(20, 'reports', {}, () => false);
  queues.close();
  expect(await forEver).toEqual([]);
});

test('what the sandbox does not apply is refused', async () => {
  const { clients, queues } = await runSandbox();
  const { sqs } = clients;
  queues.put('aside');
  queues.put('reports', { redrive: { deadLetterQueue: 'aside', maxReceiveCount: 3 } });
  queues.send('reports', 'a');
  const SourceArn = 'arn:aws:sqs:us-east-1:000000000000:aside';
  const MessageAttributes = { n: { DataType: 'Number', StringValue: '1' } };
  const policy = { deadLetterTargetArn: `${SourceArn}-none`, maxReceiveCount: 3 };
  const refused: [name: string, request: () => Promise<unknown>][] = [
    [
      'ValidationException',
      () => sqs.send(new StartMessageMoveTaskCommand({ SourceArn, MaxNumberOfMessagesPerSecond: 5 })),
    ],
    [
      'ValidationException',
      () => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageGroupId: 'x' })),
    ],
    [
      'InvalidParameterValue',
      () => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x', MessageAttributes })),
    ],
    ['InvalidMessageContents', () => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'a\u0000' }))],
    [
      'InvalidAttributeName',
      () => sqs.send(new CreateQueueCommand({ QueueName: 'x', Attributes: { FifoQueue: 'true' } })),
    ],
    [
      'InvalidParameterValue',
      () =>
        sqs.send(
          new CreateQueueCommand({ QueueName: 'x', Attributes: { RedrivePolicy: JSON.stringify(policy) } }),
        ),
    ],
    [
      'InvalidAttributeName',
      () =>
        sqs.send(new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['SequenceNumber'] })),
    ],
  ];
  for (const [name, request] of refused) await expect.soft(request(), name).rejects.toMatchObject({ name });
  expect(queues.counts('reports')).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
  expect(queues.names()).toEqual(['aside', 'reports']);
});

test('faults and records have the name of the queue', async () => {
  const { clients, faults, queues, requests } = await runSandbox();
  queues.put('reports');
  faults.add({ service: 'sqs', key: /^reports$/, action: knownErrors.sqs.throttled });
  const send = () => clients.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'x' }));
  await expect(send()).rejects.toMatchObject({ name: 'RequestThrottled' });
  await send();
  expect(requests).toMatchObject(
    [403, 200].map((status) => ({ service: 'sqs', operation: 'SendMessage', key: 'reports', status })),
  );
  const none = clients.sqs.send(new SendMessageCommand({ QueueUrl: `${QueueUrl}-none`, MessageBody: 'x' }));
  await expect(none).rejects.toMatchObject({
    name: 'QueueDoesNotExist',
    Error: { Code: 'AWS.SimpleQueueService.NonExistentQueue' },
  });
});
