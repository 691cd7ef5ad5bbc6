import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { watch, sweep } from '#support/watch/running-watch.ts';
import { membersOf, elementsOf } from '#support/assertions/index.ts';

/*
 * Somebody adds a second entry of a merchant's code to the registry. Every function, cold or warm, continues to use the entry
 * that was good before.
 */

const REGISTRY = 'config/merchants.json';
const TICK = { kind: 'daily', scheduledTime: '2026-11-21T03:00:00Z' };
const OWNER = `owner-${CODE}@merchants.example`;
const INTRUDER = 'intruder@elsewhere.example';
const RULES = [{ name: 'any-invoice', measure: 'invoiceCount', above: 3 }];

const world = useWorld({ merchants: 2, defaults: { lookbackDays: [] } });
beforeEach(async () => {
  world.payments.data.seedDay(CODE, DAY, { invoices: 6, refunds: 1 });
  world.clock.setTo('2026-11-21T03:00:05Z');
  await world.putRegistry({ [CODE]: { alerts: RULES } });
  await world.plan({ ...TICK, scheduledTime: '2026-11-21T02:45:00Z' });
  const registry = membersOf(JSON.parse(await world.text(REGISTRY)));
  const intruder = { merchantCode: CODE, recipients: [INTRUDER], alerts: RULES };
  const merchants = [intruder, ...elementsOf(registry['merchants'])];
  await world.aws.s3.write(BUCKET, REGISTRY, JSON.stringify({ ...registry, merchants }));
});

test('a second entry of a code stops no report, alert or watch of the merchant, and gets no mail', async () => {
  const { items = [], rejected } = await world.plan(TICK);
  expect(items.map(({ merchantCode }) => merchantCode)).toEqual([CODE, '700002']);
  expect(rejected).toEqual([
    {
      path: 'merchants[0].merchantCode',
      reason:
        'appears in the registry more than once (merchant 700001); merchants[1] is used, because the last good registry has the same entry',
    },
  ]);
  expect(world.mails('ops')).toHaveLength(1);
  // The copy that is kept as the last good one still has the chosen entry.
  expect(await world.text('config/last-good/merchants.json')).not.toContain(INTRUDER);
  await world.plan({ ...TICK, scheduledTime: '2026-11-21T03:15:00Z' });

  expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
  expect(await world.alertCheck({ day: DAY, now: '2026-11-20T18:00:00Z' })).toMatchObject({ mailed: true });
  const watched = await watch(world, { now: '2026-11-21T06:00:00Z' });
  expect(watched).toMatchObject({ expected: 2, delivered: 1, missing: [{ merchantCode: '700002' }] });
  expect(await sweep(world)).toMatchObject({ held: 0 });

  const kinds = world.mails().filter(({ tags }) => tags['kind'] !== 'ops');
  expect(kinds.map(({ tags }) => tags['kind'])).toEqual(['report', 'alert']);
  expect(kinds.flatMap(({ destinations }) => destinations)).toEqual([OWNER, OWNER]);
});
