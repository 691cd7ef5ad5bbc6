import { QueueStore } from '#sandbox/aws/sqs/queue-store.ts';
import { runSandbox } from '#support/aws/running-sandbox.ts';
import { newDirectory } from '#support/machine.ts';

const QueueUrl = 'http://127.0.0.1/000000000000/reports';
const DAY = 86_400;

/** A store on a clock that stands still. */
function onClock(directory?: string) {
  const clock = { now: Date.UTC(2026, 10, 27) };
  const open = () => new QueueStore(() => clock.now, directory);
  return { queues: open(), open, pass: (seconds: number) => void (clock.now += seconds * 1_000) };
}

test('messages outlive the process', () => {
  const { queues, open, pass } = onClock(newDirectory());
  const put = (store: QueueStore) => {
    store.put('aside');
    store.put('reports', { redrive: { deadLetterQueue: 'aside', maxReceiveCount: 1 } });
  };
  put(queues);
  queues.send('reports', 'taken', { attributes: { kind: 'report' } });
  queues.send('reports', 'delayed', { delay: 60 });
  const [taken] = queues.receive('reports');
  const before = queues.messages('reports');
  queues.close();
  const again = open();
  put(again);
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
  pass(8 * DAY - 1);
  expect(queues.counts('aside')).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
  pass(1);
  expect(queues.messages('aside')).toEqual([]);
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
  const entry = (Id: string) => ({ Id, MessageBody: 'x' });
  const batch = (...ids: string[]) => sqs.sendMessageBatch({ QueueUrl, Entries: ids.map(entry) });
  const send = (more: object) => sqs.sendMessage({ QueueUrl, MessageBody: 'x', ...more });
  const receive = (more: object) => sqs.receiveMessage({ QueueUrl, ...more });
  const create = (Attributes: Record<string, string>) => sqs.createQueue({ QueueName: 'x', Attributes });
  const refused: (() => Promise<unknown>)[] = [
    () => sqs.startMessageMoveTask({ SourceArn }),
    () => send({ MessageGroupId: 'x' }),
    () => send({ MessageAttributes }),
    () => send({ DelaySeconds: 901 }),
    () => batch(),
    () => batch('a', 'a'),
    () => batch('a b'),
    () => batch(...Array.from({ length: 11 }, (_, n) => String(n))),
    () => receive({ MaxNumberOfMessages: 11 }),
    () => receive({ WaitTimeSeconds: 21 }),
    () => receive({ VisibilityTimeout: 43_201 }),
    () => create({ FifoQueue: 'true' }),
    () => create({ MessageRetentionPeriod: '1' }),
  ];
  for (const request of refused)
    await expect.soft(request(), request.toString()).rejects.toMatchObject({ name: 'ValidationException' });
  expect(queues.counts('reports')).toEqual({ visible: 1, inFlight: 0, delayed: 0 });
});
