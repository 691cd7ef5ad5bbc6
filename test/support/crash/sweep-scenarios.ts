import { addressHash } from '#records/storage/keys.ts';
import { daysInTurn } from '#watch/sweep/remove-orphans.ts';
import { CODE, DAY, MORNING_AFTER, type DaybookWorld } from '../world/daybook-world.ts';
import { expectMailsAgree, expectNewestIsTruth, expectSealed, readersOf } from './bucket.ts';
import { diedAt } from './died-at.ts';
import { A, B, WITH_TOPIC, twoReaders, AFTER_LEASE, type Scenario } from './scenario.ts';
import { defined } from '#support/assertions/defined.ts';

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
