import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '#records/day/business-day.ts';
import { ledgerKey } from '#records/storage/keys.ts';
import { daysMailed } from '#watch/sweep/settle-ledgers.ts';
import { dueItems } from '#plan/create-plan.ts';
import { allMerchants } from '#registry/merchants.ts';
import { parseRegistry } from '#registry/registry.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { sweep } from '#support/sweep/running-sweep.ts';

const HOUR = 60 * 60 * 1_000;

describe('the mail of a lookback day', () => {
  let world: DaybookWorld;
  beforeEach(async () => {
    world = await DaybookWorld.start({ defaults: { lookbackDays: [1, 45] } });
  });
  afterEach(() => world.close());

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
  const zones = ['Pacific/Kiritimati', 'Asia/Kuwait', 'America/Los_Angeles', 'Etc/GMT+12'];
  const registry = parseRegistry(
    JSON.stringify({
      service: { baseUrl: 'https://payments.example' },
      merchants: zones.map((timeZone, index) => ({
        merchantCode: `${700_001 + index}`,
        timeZone,
        reportAt: '06:00',
        lookbackDays: [1, 7, 30, 366],
      })),
    }),
  );

  it('are those that plan has planned, as long as their ledgers are examined', () => {
    const { merchants } = allMerchants(registry);
    for (let hour = 0; hour < 48; hour += 1) {
      const tick = Date.parse('2026-11-20T00:20:00Z') + hour * HOUR;
      const window = { since: new Date(tick - HOUR).toISOString(), tick: new Date(tick).toISOString() };
      const planned = dueItems(merchants, window, { send: true, scheduledTime: window.tick }).flatMap(
        ({ days }) => days,
      );
      // From the tick until a day and an hour after its ledger can first be closed, which is at most a day later.
      for (const later of [0, 1, 26, 49]) {
        const looked = new Set(daysMailed(registry, tick + later * HOUR));
        expect(planned.filter((day) => !looked.has(day))).toEqual([]);
      }
    }
  });

  it('are few, and the last sixteen days if there is no registry', () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    expect(daysMailed(undefined, now)).toHaveLength(16);
    expect(daysMailed(registry, now).length).toBeLessThan(30);
  });
});
