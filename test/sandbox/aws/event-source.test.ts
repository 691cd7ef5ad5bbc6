import type { SQSEvent } from 'aws-lambda';
import { createEventSource, type EventSourceOptions } from '#sandbox/aws/event-source.ts';
import { QueueStore } from '#sandbox/aws/sqs/queue-store.ts';

const QUEUE = 'reports';

/** A queue on a clock that stands still, and an event source whose function notes what it gets. */
function setUp(options: Partial<EventSourceOptions> = {}) {
  const clock = { now: Date.UTC(2026, 10, 27) };
  const queues = new QueueStore(() => clock.now);
  queues.put('aside');
  const redrive = { deadLetterQueue: 'aside', maxReceiveCount: 3 };
  queues.put(QUEUE, { visibilityTimeout: 60, redrive });
  const events: SQSEvent[] = [];
  const source = createEventSource({
    ...{ queues, queue: QUEUE, batchSize: 1, maximumConcurrency: 2, ...options },
    invoke: async (event) => {
      events.push(event);
      return options.invoke?.(event);
    },
  });
  const send = (...bodies: string[]) => bodies.map((body) => queues.send(QUEUE, body));
  const invoked = () => events.splice(0).map(({ Records }) => Records.map(({ body }) => body).join('+'));
  const pass = (seconds: number) => void (clock.now += seconds * 1_000);
  return { queues, source, send, invoked, events, pass };
}

const idsOf = ({ Records }: SQSEvent) => Records.map(({ messageId }) => ({ itemIdentifier: messageId }));

const ALL = ['a', 'b', 'c'];
const STRANGER = { itemIdentifier: 'x' };
const failing = (...batchItemFailures: { itemIdentifier: string }[]) =>
  Promise.resolve({ batchItemFailures });

test.each<[string, EventSourceOptions['invoke'], string[]]>([
  ['an answer without failures', () => Promise.resolve({ batchItemFailures: null }), []],
  ['no answer', () => Promise.resolve(null), []],
  ['the second', (event) => failing(...idsOf(event).slice(1, 2)), ['b']],
  ['an id that is not in the event', (event) => failing(...idsOf(event).slice(0, 1), STRANGER), ALL],
  ['an empty id', () => failing({ itemIdentifier: '' }), ALL],
  ['another form', () => Promise.resolve('fine'), ALL],
  ['an error', () => Promise.reject(new Error('out of time')), ALL],
])('after %s the messages that failed come back when their time has passed', async (_, invoke, failed) => {
  const { queues, source, send, invoked, pass } = setUp({ batchSize: 10, invoke });
  send('a', 'b', 'c');
  await source.drain();
  expect(invoked()).toEqual(['a+b+c']);
  expect(queues.messages(QUEUE).map(({ body, state }) => [body, state])).toEqual(
    failed.map((body) => [body, 'inFlight']),
  );
  pass(60);
  await source.drain();
  expect(invoked()).toEqual(failed.length === 0 ? [] : [failed.join('+')]);
});

test('no more invocations run than there are places', async () => {
  const ends: (() => void)[] = [];
  const { source, send, invoked } = setUp({
    invoke: () => new Promise<void>((resolve) => void ends.push(resolve)),
  });
  send('a', 'b', 'c');
  expect([source.pollOnce(), source.pollOnce()]).toEqual([2, 0]);
  ends.shift()?.();
  await expect.poll(() => source.pollOnce()).toBe(1);
  expect(invoked()).toEqual(['a', 'b', 'c']);
  const stopped = source.stop();
  for (const end of ends) end();
  await stopped;
  send('d');
  expect(source.pollOnce()).toBe(0);
});

test('a batching window gathers messages, and a full event does not wait for it', async () => {
  const { source, send, invoked, pass } = setUp({ batchSize: 12, maximumBatchingWindow: 30 });
  send('a');
  expect(source.pollOnce()).toBe(0);
  pass(20);
  send('b');
  pass(10);
  expect(source.pollOnce()).toBe(1);
  const more = Array.from({ length: 12 }, (_, n) => String(n));
  send(...more);
  expect(source.pollOnce()).toBe(1);
  await source.drain();
  expect(invoked()).toEqual(['a+b', more.join('+')]);
});

test('the fate of a message can be two events, or a deletion that is lost', async () => {
  const { queues, source, send, invoked, pass } = setUp({
    fate: ({ body, attributes }) => {
      if (attributes.ApproximateReceiveCount !== '1') return 'once';
      return body === 'b' ? 'twice' : 'not-deleted';
    },
  });
  send('a', 'b');
  await source.drain();
  expect(invoked()).toEqual(['a', 'b', 'b']);
  expect(queues.messages(QUEUE)).toMatchObject([{ body: 'a', state: 'inFlight' }]);
  pass(60);
  await source.drain();
  expect(invoked()).toEqual(['a']);
  expect(queues.messages(QUEUE)).toEqual([]);
});
