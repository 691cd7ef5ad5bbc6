import { CODE, DAY, MORNING_AFTER, type DaybookWorld } from '../world/daybook-world.ts';
import { notifiedDayKey } from '#records/storage/keys.ts';
import { daysMessageSchema } from '#runtime/queue-message.ts';
import { DEADLINE } from '../delivery-watch/running-watch.ts';
import { WITH_TOPIC, type Scenario } from './scenario.ts';
import { pageWorkerOf, sourceOf } from '../queues/running-worker.ts';

const TICK = '2026-11-21T03:00:00.000Z';
/** The day and those that a tick looks back at. */
const DUE = [DAY, '2026-11-19', '2026-11-17', '2026-11-13'];

function expectTold(world: DaybookWorld): void {
  expect(world.keys('mail/ops/').filter((key) => !key.startsWith('mail/ops/watch/'))).toHaveLength(1);
  expect([1, 2]).toContain(world.mails('ops').length);
  expect([1, 2]).toContain(world.aws.notices.messages.length);
}

/** The ticks of `plan`, a quarter of an hour after each other. */
const [EARLIER, NEXT] = ['2026-11-21T02:45:00Z', '2026-11-21T03:15:00Z'];
/** An unusable entry and an unknown member, of which ops are told apart. */
const WRONG = { 700003: { timeZone: 'Nowhere', unknownHere: 1 } };

export const scheduleScenarios: readonly Scenario[] = [
  {
    name: 'a report that did not arrive',
    functionName: 'delivery-watch',
    options: WITH_TOPIC,
    arrange: (world) => world.putRegistry(),
    event: () => ({ now: DEADLINE }),
    calls: ['ListObjectsV2', 'PutObject', 'SendRawEmail', 'Publish'],
    verify: async (world) => {
      expectTold(world);
      expect(JSON.parse(await world.text(notifiedDayKey(DAY)))).toMatchObject({
        spell: 0,
        told: [{ merchantCode: CODE, badness: 2 }],
      });
    },
  },
  {
    name: 'a tick with an entry that cannot be used',
    functionName: 'plan',
    options: { merchants: 2, ...WITH_TOPIC },
    arrange: async (world) => {
      await world.putRegistry({ 700002: { timeZone: 'Nowhere' } });
      await world.putEmptyHistories();
    },
    event: () => ({ kind: 'daily', scheduledTime: TICK }),
    afterwards: async (world) => {
      const message = { merchantCode: CODE, days: DUE, send: true, scheduledTime: TICK };
      const sent = world.queues.sent('reports');
      expect(sent.length).toBeGreaterThan(0);
      expect(sent).toEqual(sent.map(() => message));
      await sourceOf(world, 'reports', pageWorkerOf(world)).drain();
    },
    calls: ['GetObject', 'SendMessageBatch', 'PutObject', 'SendRawEmail', 'Publish'],
    verify: async (world) => {
      expectTold(world);
      expect(JSON.parse(await world.text('plan/daily.json'))).toEqual({
        tick: TICK,
        since: '2026-11-21T02:45:00.000Z',
      });
      expect(world.keys('config/last-good/')).toHaveLength(1);
      // Whether it was sent once or twice.
      expect(world.queues.sent('reports')).toEqual([]);
      expect(world.keys('days/')).toHaveLength(DUE.length);
      expect(world.mails('report').map(({ tags }) => tags['day'])).toEqual(DUE);
    },
  },
  {
    name: 'a tick that has something to tell, when nobody runs it again: the next tick sends what is missing',
    functionName: 'plan',
    options: { merchants: 3, ...WITH_TOPIC },
    arrange: (world) => world.putRegistry(WRONG),
    before: async (world) => {
      await world.putRegistry();
      await world.plan({ kind: 'daily', scheduledTime: EARLIER });
      await world.putRegistry(WRONG);
    },
    event: ({ clock }) => {
      // A world begins at this time, and the next run comes two minutes later.
      const isLater = clock.now() > Date.parse(MORNING_AFTER) + 90_000;
      return { kind: 'daily', scheduledTime: isLater ? NEXT : TICK };
    },
    calls: ['GetObject', 'ListObjectsV2', 'SendMessageBatch', 'PutObject', 'SendRawEmail'],
    verify: (world) => {
      const messages = world.queues.sent('reports').map((body) => daysMessageSchema.parse(body));
      for (const merchantCode of [CODE, '700002']) {
        const own = messages.filter((message) => message.merchantCode === merchantCode);
        expect(own.flatMap(({ days }) => days)).toContain(DAY);
      }
      // Ops were notified of both faults once, and at most once more by the run that died.
      expect(world.keys('mail/ops/')).toHaveLength(2);
      expect(world.mails('ops').length).toBeLessThanOrEqual(4);
    },
  },
];
