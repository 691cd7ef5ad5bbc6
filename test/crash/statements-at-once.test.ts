import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { daysOf, periodDays } from '#records/period/period.ts';
import { seededRandom } from '#sandbox/payments/day/random.ts';
import { begunAtOnce, delayCalls, failures, quicken } from '#support/crash/at-once.ts';
import { expectKnownPages, expectMailsAgree, expectMailsInOrder, readersOf } from '#support/crash/bucket.ts';
import { FIGURES } from '#support/domain/sealed-manifest.ts';
import { sealPage, statementAt } from '#support/statement/statement-world.ts';
import { CODE, DaybookWorld } from '#support/world/daybook-world.ts';

const [A, B] = ['a@merchants.example', 'b@merchants.example'] as const;
const MONTH = '2026-10';
const DAYS = daysOf(periodDays(MONTH, 'sunday'));
const EVENT: Record<string, unknown> = { merchantCode: CODE, period: MONTH };

let world: DaybookWorld;

beforeEach(async () => {
  world = await DaybookWorld.ofTest();
  world.clock.setTo('2026-11-01T06:00:00.000Z');
  await world.putRegistry({ [CODE]: { recipients: [A, B] } });
  await Promise.all(DAYS.map((day) => sealPage(world, { day, pulledAt: '2026-11-01T05:00:00.000Z' })));
  quicken(world);
});

const cases = [2, 5].flatMap((runs) => [1, 2, 3].map((seed) => [runs, seed] as const));

function runsOf(count: number, event = EVENT) {
  return Array.from({ length: count }, () => () => world.statement(event));
}

/** Runs at once, while a day is sealed three times more, and one run after that. */
async function runsWhileADayChanges(runs: number, pauses: string, seed: number, event = EVENT) {
  const random = seededRandom(pauses);
  const changes = (async () => {
    for (let revision = 2; revision <= 4; revision += 1) {
      await wait(random.below(50));
      const counts = { ...FIGURES.counts, paid: 6 - revision, notPaid: 3 + revision };
      await sealPage(world, { day: DAYS[3] ?? '', revision, counts, pulledAt: '2026-11-01T05:30:00.000Z' });
    }
    return begunAtOnce(seed, runsOf(1, event));
  })();
  return [...(await begunAtOnce(seed, runsOf(runs, event))), ...(await changes)];
}

describe('runs of one statement at once', () => {
  it.each(cases)('seal one revision and send one mail to each when %i run (seed %i)', async (runs, seed) => {
    delayCalls(world, seed);
    expect(failures(await begunAtOnce(seed, runsOf(runs)))).toEqual([]);
    await expectKnownPages(world);
    expect(world.keys('statements/')).toHaveLength(1);
    expect(readersOf(world, 1)).toEqual([A, B]);
    expect(await expectMailsAgree(world)).toBe(0);
  });

  it.each(cases)(
    'end with the days as they are at last when days change while %i run (seed %i)',
    async (runs, seed) => {
      delayCalls(world, seed);
      const results = await runsWhileADayChanges(runs, `days ${seed}`, seed);
      expect(failures(results).filter((name) => name !== 'SealContestedError')).toEqual([]);
      await world.statement(EVENT);
      await expectKnownPages(world);
      const revisions = world.keys('statements/').length;
      const statements = await Promise.all(
        Array.from({ length: revisions }, (_, index) => statementAt(world, MONTH, index + 1)),
      );
      // No later statement names an older page.
      const named = statements.map(({ days }) => days[3]?.revision ?? 0);
      expect(named).toEqual(named.toSorted((one, other) => one - other));
      expect(named.at(-1)).toBe(4);
      expect(statements.at(-1)?.counts.paid).toBe(31 * 6 - 4);
      expectMailsInOrder(world);
      expect(await expectMailsAgree(world)).toBe(0);
      // The last mail of each recipient has the figures of the newest statement.
      for (const reader of [A, B]) {
        const last = world.mails().findLast(({ destinations }) => destinations.includes(reader));
        expect(statements[Number(last?.tags['revision']) - 1]?.counts).toEqual(statements.at(-1)?.counts);
      }
    },
  );
});

describe("runs of one page of a group's day at once", () => {
  it.each(cases)(
    'make and mail one page although a day changes while %i run (seed %i)',
    async (runs, seed) => {
      const groups = [{ name: 'shops', merchants: 'all', recipients: [A, B], daily: true }];
      await world.putRegistry({}, {}, { groups });
      delayCalls(world, seed);
      const event = { group: 'shops', period: DAYS[3], scheduledTime: '2026-11-01T06:00:00.000Z' };
      const results = await runsWhileADayChanges(runs, `page ${seed}`, seed, event);
      expect(failures(results)).toEqual([]);
      expect(world.keys('statements/')).toHaveLength(1);
      expect(readersOf(world, 1)).toEqual([A, B]);
      expect(await expectMailsAgree(world)).toBe(0);
    },
  );
});
