import { notifiedDayKey, addressHash } from '#records/storage/keys.ts';
import { daysMessageSchema } from '#runtime/queue-message.ts';
import { daysInTurn } from '#watch/sweep/remove-orphans.ts';
import { defined } from '#support/assertions/index.ts';
import { CODE, DAY, MORNING_AFTER, type DaybookWorld } from '../world/daybook-world.ts';
import { DEADLINE } from '../watch/running-watch.ts';
import { pageWorkerOf, sourceOf } from '../queues/queues.ts';
import { WITH_TOPIC, type Scenario, A, B, twoReaders, AFTER_LEASE } from './scenario.ts';
import { expectMailsAgree, expectNewestIsTruth, expectSealed, readersOf } from './bucket.ts';
import { diedAt } from './point.ts';

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
    arrange: (world) => world.putRegistry({ 700002: { timeZone: 'Nowhere' } }),
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

const HOUR = 60 * 60 * 1_000;

const report: Scenario['event'] = () => ({ merchantCode: CODE, day: DAY });

/** Three days, and the time until the hour in which the sweep handles the day. */
function untilItsTurn(): number {
  const start = Date.parse(MORNING_AFTER);
  const firstHour = start / HOUR + 72;
  const turn = Array.from({ length: 1_000 }, (_, hour) => (firstHour + hour) * HOUR);
  return defined(turn.find((now) => daysInTurn([DAY], now).length > 0)) - start;
}

function dataFiles(world: DaybookWorld): string[] {
  return world.keys().filter((key) => /^(?:invoices|refunds)\//.test(key));
}

export const sweepScenarios: readonly Scenario[] = [
  {
    name: 'a mail that a dead run left half sent',
    functionName: 'sweep',
    options: WITH_TOPIC,
    arrange: twoReaders,
    before: diedAt('daily-report', report, { operation: 'SendRawEmail' }),
    event: () => ({}),
    ahead: AFTER_LEASE + HOUR,
    // A ledger that the dead sweep has taken is free again after `deadlines.unsettledMinutes`.
    meanwhile: (world) => {
      world.clock.ahead += HOUR;
    },
    calls: ['ListObjectsV2', 'PutObject', 'SendRawEmail', 'Publish'],
    verify: async (world) => {
      await expectSealed(world);
      expect(await expectMailsAgree(world)).toBe(1);
      const { recipients } = await world.ledger(1);
      expect(recipients.map(({ to, status }) => [to, status])).toEqual([
        [addressHash(A), 'held'],
        [addressHash(B), 'failed'],
      ]);
      expect(readersOf(world, 1)).toEqual([A]);
      // For one recipient it is unknown whether a mail was sent; for the other it is known that none was.
      expect(world.keys('mail/ops/')).toHaveLength(2);
    },
  },
  {
    name: 'files that a dead run left without a seal',
    functionName: 'sweep',
    arrange: twoReaders,
    before: async (world) => {
      await diedAt('daily-report', report, { operation: 'PutObject', key: /^refunds\/csv/ })(world);
      await world.report();
      expect(dataFiles(world).length).toBeGreaterThan(4);
    },
    event: () => ({}),
    ahead: untilItsTurn(),
    calls: ['ListObjectsV2', 'DeleteObject'],
    verify: async (world) => {
      await expectSealed(world);
      await expectNewestIsTruth(world);
      expect(dataFiles(world)).toHaveLength(4);
    },
  },
];
