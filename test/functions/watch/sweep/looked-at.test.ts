import { addDays, WEEKDAYS } from '#records/day/business-day.ts';
import { duePeriods } from '#records/period/due.ts';
import { ledgerKey } from '#records/storage/keys.ts';
import { daysInTurn } from '#watch/sweep/remove-orphans.ts';
import { daysMailed, periodsMailed } from '#watch/sweep/settle-ledgers.ts';
import { dueItems } from '#plan/create-plan.ts';
import { allMerchants } from '#registry/merchants.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { registryOf } from '#support/plan/running-plan.ts';
import { sweep } from '#support/watch/running-watch.ts';
import { fc, forAll } from '#support/assertions/index.ts';

const HOUR = 60 * 60 * 1_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');
const ZONES = ['Pacific/Kiritimati', 'Asia/Kuwait', 'America/Los_Angeles', 'Etc/GMT+12'];

describe('the mail of a lookback day', () => {
  const world = useWorld({ defaults: { lookbackDays: [1, 45] } });

  it('has its ledger closed, however far back the day is', async () => {
    await world.report();
    const key = ledgerKey(addDays(DAY, -45), CODE, 1);
    const dead = JSON.stringify({ ...(await world.ledger(1)), key, status: 'intended', recipients: [] });
    await world.aws.s3.write(BUCKET, key, dead);
    world.clockAhead += 2 * HOUR;
    expect(await sweep(world)).toMatchObject({ settled: 1 });
    expect(JSON.parse(await world.text(key))).toMatchObject({ status: 'failed' });
  });
});

describe('the days that may have a mail', () => {
  const registry = registryOf(
    ZONES.map((timeZone, index) => ({
      merchantCode: `${700_001 + index}`,
      timeZone,
      reportAt: '06:00',
      lookbackDays: [1, 7, 30, 366],
    })),
  );

  it('are those that plan has planned, as long as their ledgers are examined', () => {
    const { merchants } = allMerchants(registry);
    for (let hour = 0; hour < 48; hour += 1) {
      const tick = Date.parse('2026-11-20T00:20:00Z') + hour * HOUR;
      const window = { since: new Date(tick - HOUR).toISOString(), tick: new Date(tick).toISOString() };
      const items = dueItems(merchants, window, { send: true, scheduledTime: window.tick });
      const planned = items.flatMap(({ days }) => days);
      // From the tick until a day and an hour after its ledger can first be closed, which is at most a day later.
      for (const later of [0, 1, 26, 49]) {
        const looked = new Set(daysMailed(registry, tick + later * HOUR));
        expect(planned.filter((day) => !looked.has(day))).toEqual([]);
      }
    }
  });

  it('are few, and the last sixteen days if there is no registry', () => {
    expect(daysMailed(undefined, NOON)).toHaveLength(16);
    expect(daysMailed(registry, NOON).length).toBeLessThan(30);
  });
});

const times = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  weekStart: fc.constantFrom(...WEEKDAYS),
  weekly: fc.record({ on: fc.constantFrom(...WEEKDAYS), at: fc.constantFrom('00:00', '08:00', '23:59') }),
  monthly: fc.record({ onDay: fc.integer({ min: 1, max: 28 }), at: fc.constantFrom('00:00', '23:59') }),
  waitFor: fc.integer({ min: 1, max: 7 }).map((days) => days * 24 * HOUR),
  correctFor: fc.integer({ min: 1, max: 120 }).map((days) => days * 24 * HOUR),
});

describe('the periods that may have a mail', () => {
  it('are those whose statements are issued and corrected, as long as their ledgers are examined', () =>
    forAll(
      [times, fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, 1, 26, 50)],
      (merchant, day, later) => {
        const now = NOON + day * 24 * HOUR;
        const mailed = duePeriods(merchant, now).map(({ period }) => period);
        const looked = periodsMailed(mailed, [merchant], now + later * HOUR);
        expect(mailed.filter((period) => !looked.includes(period))).toEqual([]);
      },
    ));

  it('are few, also without a registry: some weeks, months, and days of groups', () => {
    const days = Array.from({ length: 800 }, (_, back) => addDays(DAY, -back));
    const months = Array.from(
      { length: 24 },
      (_, back) => `${2025 + Math.floor(back / 12)}-${`${(back % 12) + 1}`.padStart(2, '0')}`,
    );
    const weeks = Array.from({ length: 47 }, (_, week) => `2026-W${`${week + 1}`.padStart(2, '0')}`);
    const looked = periodsMailed([...days, ...months, ...weeks], [], NOON);
    expect(looked).toContain(DAY);
    expect(looked).toContain('2026-W39');
    expect(looked).toContain('2026-09');
    expect(looked).not.toContain('2026-08');
    expect(looked.length).toBeLessThan(75);
  });

  it('are none whose name is not one of a period', () => {
    expect(periodsMailed(['2026-13', '2026-W54', 'r0001.json', '', '2026-11'], [], NOON)).toEqual([
      '2026-11',
    ]);
  });
});

const NOW = Date.parse('2026-11-21T04:20:00Z');
const days = (count: number) => Array.from({ length: count }, (_, back) => addDays('2026-11-22', -back));

/** The days that this number of sweeps cover, when they are this many hours apart. */
function met(present: readonly string[], sweeps: number, rate: number): Set<string> {
  return new Set(
    Array.from({ length: sweeps }, (_, run) => daysInTurn(present, NOW + run * rate * HOUR)).flat(),
  );
}

describe('the days of one sweep', () => {
  it.each([1, 2, 3, 4, 6, 12])(
    'include every recent day within some time when a sweep comes every %i hours',
    (rate) => {
      // The days that are still recent at the end of that time.
      const recent = days(23 - Math.ceil((25 * rate) / 24));
      const seen = met(days(25), 25, rate);
      expect(recent.filter((day) => !seen.has(day))).toEqual([]);
    },
  );

  it('include every older day within 17 days, a few at a time', () => {
    const all = days(1_000);
    const seen = met(all, 401, 1);
    expect(all.filter((day) => !seen.has(day))).toEqual([]);
    for (let run = 0; run < 401; run += 1) {
      expect(daysInTurn(all, NOW + run * HOUR).length).toBeLessThanOrEqual(4);
    }
  });

  it('are none if there are no days', () => {
    expect(daysInTurn([], NOW)).toEqual([]);
  });
});
