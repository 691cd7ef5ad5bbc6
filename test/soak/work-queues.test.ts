import type { SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { QueueStore } from '#sandbox/aws/sqs/queue-store.ts';
import { VirtualClock } from '#soak/clock.ts';
import { Draws } from '#soak/draws.ts';
import { deployQueues } from '#soak/world.ts';
import { FunctionFailure } from '#soak/schedule/invoker.ts';
import { createWorkQueues } from '#soak/schedule/work-queues.ts';
import { Counts } from '#soak/tally.ts';

const START = '2026-03-03T03:00:00.000Z';
const LATER = '2026-03-03T06:00:00.000Z';

const eventSchema = z.custom<SQSEvent>();

function setUp({
  isCalm = true,
  work = () => Promise.resolve({}),
}: { isCalm?: boolean; work?: (code: string, at: string) => Promise<unknown> } = {}) {
  const clock = new VirtualClock(Date.parse(START));
  const store = new QueueStore(clock.now);
  const aws = { queues: store, environment: {} };
  const queues = deployQueues(aws, 'soak');
  const counts = new Counts();
  const invoke = (_name: string, event: unknown) => {
    const [record] = eventSchema.parse(event).Records;
    const { merchantCode } = z.object({ merchantCode: z.string() }).parse(JSON.parse(record?.body ?? ''));
    return work(merchantCode, new Date(clock.now()).toISOString().slice(11, 16));
  };
  const delivered = createWorkQueues(
    { clock, queues, aws },
    new Draws('seed'),
    counts,
    { isCalm },
    { invoke },
  );
  const send = (merchantCode: string, name: 'reports' | 'alerts' = 'reports') =>
    store.send(
      queues.nameOf(name),
      JSON.stringify({ merchantCode, days: ['2026-03-02'], scheduledTime: START }),
    );
  return { clock, store, queues, counts, delivered, send };
}

it('deliver a message again when its visibility ends, and stand at the given moment afterwards', async () => {
  const times: string[] = [];
  const { clock, delivered, send } = setUp({
    work: (_code, at) => {
      times.push(at);
      return times.length < 3
        ? Promise.reject(new FunctionFailure('Runtime.ExitError', 'killed'))
        : Promise.resolve({});
    },
  });
  send('700001');
  await delivered.deliverUntil('2026-03-03T03:10:00.000Z');
  expect(times).toEqual(['03:00']);
  expect(new Date(clock.now()).toISOString().slice(11, 16)).toBe('03:10');
  await delivered.deliverUntil(LATER);
  expect(times).toEqual(['03:00', '03:16', '03:32']);
  expect(delivered.forgotten()).toEqual([]);
});

it('choose for each message whether it comes twice or its deletion is lost: the same for the same seed', async () => {
  const run = async () => {
    const got: string[] = [];
    const { counts, delivered, send } = setUp({
      isCalm: false,
      work: (code) => Promise.resolve(got.push(code)).then(() => ({})),
    });
    for (let code = 1; code <= 60; code += 1) send(String(700_000 + code));
    await delivered.deliverUntil(LATER);
    expect(delivered.forgotten()).toEqual([]);
    return { got: got.sort(), counts: counts.other.entries() };
  };
  const [one, other] = [await run(), await run()];
  expect(one).toEqual(other);
  expect(new Set(one.got)).toHaveLength(60);
  expect(one.counts.map(([what]) => what)).toEqual([
    'deletions lost',
    'messages delivered twice',
    'messages that came back',
  ]);
});

it('give back what was put aside, and drop the checks', async () => {
  const { store, queues, delivered, send } = setUp();
  store.send(queues.deadLettersOf('reports'), '{"merchantCode":"700001"}', {
    attributes: { reason: 'why' },
  });
  store.send(queues.deadLettersOf('alerts'), '{"merchantCode":"700002"}');
  send('700003');
  expect(delivered.forgotten()).toHaveLength(3);
  delivered.redrive();
  expect(delivered.deadLetters()).toEqual([]);
  await delivered.deliverUntil(LATER);
  expect(delivered.forgotten()).toEqual([]);
});

it('say what was put aside meanwhile, and nothing of what was so before', async () => {
  const { store, queues, delivered, send } = setUp({
    work: () => Promise.reject(new FunctionFailure('Runtime.ExitError', 'killed')),
  });
  store.send(queues.deadLettersOf('reports'), '{"merchantCode":"700001"}');
  const id = send('700002');
  const from = queues.nameOf('reports');
  expect(await delivered.deliverUntil(LATER)).toMatchObject([{ id, receives: 3, deadLetterOf: from }]);
  expect(await delivered.deliverUntil(LATER)).toEqual([]);
});

it('end the run for an error that is none of the function', async () => {
  const { delivered, send } = setUp({ work: () => Promise.reject(new Error('the pool is broken')) });
  send('700001');
  await expect(delivered.deliverUntil(LATER)).rejects.toThrow('an invocation failed by itself');
});
