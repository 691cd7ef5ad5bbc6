import { dayItemsOf } from '#support/plan/day-items.ts';
import { assert, beforeEach, describe, expect, test } from 'vitest';
import type { PlanResult } from '#functions/plan/plan-result.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { registryText } from '#support/plan/merchants.ts';
import { plannerOn, REGISTRY, sandboxOfFile } from '#support/plan/running-plan.ts';
import { defined } from '#support/assertions/defined.ts';
import { matcher } from '#support/assertions/matcher.ts';

const sandbox = sandboxOfFile();
const TICK = '2026-11-21T03:00:00Z';
const ITEMS = 'plan/daily/20261121T030000Z.json';
const OPEN = 'plan/open/daily/20261121T030000Z.json';

let output: ReturnType<typeof captureOutput>;
beforeEach(() => {
  output = captureOutput();
  sandbox().faults.clear();
  sandbox().mail.messages.length = 0;
});

type Planner = ReturnType<typeof plannerOn>;

/** As an execution requests it, a few seconds after its time. */
function tick(planner: Planner, scheduledTime: string) {
  planner.setTime(new Date(Date.parse(scheduledTime) + 5_000).toISOString());
  return planner.plan({ kind: 'daily', scheduledTime, remember: true });
}

/** Two merchants report at six in Kuwait, and one at seven. */
async function planner(): Promise<Planner> {
  const running = plannerOn(sandbox());
  const merchants = [
    { merchantCode: '700001', lookbackDays: [1] },
    { merchantCode: '700002', reportFrom: '2026-11-20', lookbackDays: [1] },
    { merchantCode: '700003', reportAt: '07:00', lookbackDays: [] },
  ];
  await running.write(REGISTRY, registryText(merchants));
  return running;
}

function mailText(running: Planner): string {
  return running
    .mails()
    .map(({ raw }) => raw.toString().replaceAll('=\r\n', ''))
    .join('\n');
}

describe('the round of a tick', () => {
  test('is open until its execution reports its end', async () => {
    const running = await planner();
    const { itemsKey } = await tick(running, TICK);
    expect(itemsKey).toBe(ITEMS);
    expect(JSON.parse(defined(await running.read(OPEN)))).toEqual({
      itemsKey: ITEMS,
      openedAt: '2026-11-21T03:00:05.000Z',
      handedOutAt: '2026-11-21T03:00:05.000Z',
      handedOutBy: ITEMS,
    });
    const before = running.keys();
    const answer = await running.plan({ kind: 'daily', finished: ITEMS });
    expect(answer).toEqual({ itemCount: 0, itemsKey: null, items: [], rejected: [], notices: [] });
    expect(running.keys()).toEqual(before.filter((key) => key !== OPEN));
    // A second report of the end causes no error.
    expect(await running.plan({ kind: 'daily', finished: ITEMS })).toEqual(answer);
  });

  test('that has ended is not handed out again', async () => {
    const running = await planner();
    await tick(running, TICK);
    await running.plan({ kind: 'daily', finished: ITEMS });
    expect(await tick(running, '2026-11-21T09:00:00Z')).toMatchObject({ itemCount: 1 });
  });

  test('without items is not opened', async () => {
    const running = await planner();
    await tick(running, '2026-11-21T05:00:00Z');
    expect(running.keys('plan/open/')).toEqual([]);
  });
});

describe('a round whose execution died', () => {
  test('is handed out again unchanged after three hours, even if the registry has changed', async () => {
    const running = await planner();
    const { items } = await tick(running, TICK);
    await running.write(
      REGISTRY,
      registryText([{ merchantCode: '700003', reportAt: '07:00', lookbackDays: [] }]),
    );
    await running.remove('config/last-good/merchants.json');
    expect(
      (await tick(running, '2026-11-21T05:45:00Z')).items?.map(({ merchantCode }) => merchantCode),
    ).toEqual(['700003']);
    await running.plan({ kind: 'daily', finished: 'plan/daily/20261121T054500Z.json' });
    const again = await tick(running, '2026-11-21T06:00:05Z');
    expect(again.items).toEqual(items);
    expect(items).toHaveLength(3);
    expect(again.items?.map(({ send, scheduledTime }) => [send, scheduledTime])).toEqual([
      [true, TICK],
      [true, TICK],
      [false, TICK],
    ]);
    // Now the execution of that tick ends the round.
    expect(await tick(running, '2026-11-21T06:15:00Z')).toMatchObject({ itemCount: 0 });
    await running.plan({ kind: 'daily', finished: again.itemsKey });
    expect(running.keys('plan/open/')).toEqual([]);
  });

  test('is added to the merchants that are due, and each of the rounds ends with that execution', async () => {
    const running = await planner();
    await tick(running, TICK);
    await tick(running, '2026-11-21T03:15:00Z');
    const both = await tick(running, '2026-11-21T06:30:00Z');
    expect(both.items?.map(({ merchantCode }) => merchantCode)).toEqual([
      // The one with the most days comes first.
      '700001',
      '700003',
      '700002',
      '700002',
    ]);
    expect(running.keys('plan/open/')).toEqual([OPEN, 'plan/open/daily/20261121T063000Z.json']);
    await running.plan({ kind: 'daily', finished: both.itemsKey });
    expect(running.keys('plan/open/')).toEqual([]);
  });

  test('is handed out again by the same tick when that tick is repeated, and no item is lost or doubled', async () => {
    const running = await planner();
    await tick(running, TICK);
    const first = await tick(running, '2026-11-21T06:30:00Z');
    const repeated = await running.plan({
      kind: 'daily',
      scheduledTime: '2026-11-21T06:30:00Z',
      remember: true,
    });
    expect(repeated).toEqual(first);
    // Both executions die. Three hours later all items of both rounds are handed out again, each of them once.
    const later = await tick(running, '2026-11-21T10:00:00Z');
    const sorted = (items: PlanResult['items']) => items?.map((item) => JSON.stringify(item)).toSorted();
    expect(sorted(later.items)).toEqual(sorted(first.items));
  });

  test('that was only slow ends by itself, although it was handed out again', async () => {
    const running = await planner();
    await tick(running, TICK);
    await tick(running, '2026-11-21T06:30:00Z');
    await running.plan({ kind: 'daily', finished: ITEMS });
    expect(running.keys('plan/open/')).toEqual(['plan/open/daily/20261121T063000Z.json']);
  });

  test('is handed out by two ticks at once without harm: it ends with the first execution that ends', async () => {
    const running = await planner();
    await tick(running, TICK);
    running.setTime('2026-11-21T06:30:05Z');
    const both = await Promise.all(
      ['2026-11-21T06:15:00Z', '2026-11-21T06:30:00Z'].map((scheduledTime) =>
        running.plan({ kind: 'daily', scheduledTime, remember: true }),
      ),
    );
    const codes = both.flatMap(({ items = [] }) => items.map(({ merchantCode }) => merchantCode));
    expect(codes).toEqual(expect.arrayContaining(['700001', '700002', '700003']));
    for (const { itemsKey } of both) {
      if (itemsKey !== null) await running.plan({ kind: 'daily', finished: itemsKey });
    }
    expect(running.keys('plan/open/')).toEqual([]);
  });

  test('is given up after 24 hours, and ops are told how to continue; it is kept until the notice is sent', async () => {
    const running = await planner();
    await tick(running, TICK);
    for (let hour = 6; hour <= 27; hour += 3) {
      const time = new Date(Date.parse('2026-11-21T00:10:00Z') + hour * 3_600_000).toISOString();
      const { items = [] } = await tick(running, time);
      const old = items.filter(({ scheduledTime }) => scheduledTime === TICK);
      expect([time, old.length]).toEqual([time, hour < 27 ? 3 : 0]);
      // Other objects are not shown here.
      for (const key of running.keys('plan/open/').filter((open) => open !== OPEN)) await running.remove(key);
      sandbox().faults.clear();
      if (hour === 24)
        sandbox().faults.add({
          service: 'ses',
          times: 1,
          action: { kind: 'error', status: 400, code: 'MessageRejected' },
        });
    }
    expect(running.mails()).toEqual([]);
    expect(running.keys('plan/open/')).toContain(OPEN);
    await tick(running, '2026-11-22T03:30:00Z');
    expect(mailText(running)).toContain('A round of reports is given up');
    expect(mailText(running)).toContain(ITEMS);
    expect(running.keys('plan/open/')).not.toContain(OPEN);
    await tick(running, '2026-11-22T03:45:00Z');
    expect(running.mails()).toHaveLength(1);
  });

  test('that no tick reached for 24 hours is given up, and the notice does not say that it was handed out again', async () => {
    const running = await planner();
    await tick(running, TICK);
    await tick(running, '2026-11-22T03:30:00Z');
    expect(mailText(running)).toContain('A round of reports is given up');
    expect(mailText(running)).toContain('No tick handed it out again within 24 hours');
    expect(mailText(running)).not.toContain('It was handed out again');
  });

  test('whose items are missing or damaged is given up at once, and the tick continues', async () => {
    const running = await planner();
    await tick(running, TICK);
    await running.write(ITEMS, '[{ "merchantCode": "../x" }]');
    expect(await tick(running, '2026-11-21T06:30:00Z')).toMatchObject({
      items: [{ merchantCode: '700003' }],
    });
    expect(mailText(running)).toContain('It cannot be handed out again');
    expect(running.keys('plan/open/')).not.toContain(OPEN);
  });
});

describe('an object that plan did not write', () => {
  test.each([
    ['not JSON', '{'],
    ['something else', '{ "handedOutAt": "soon" }'],
    ['far too long', `{"x":"${'x'.repeat(100_000)}"}`],
    [
      'in the future',
      JSON.stringify({
        openedAt: '2026-11-21T03:00:00Z',
        handedOutAt: '2030-01-01T00:00:00Z',
        handedOutBy: 'x',
      }),
    ],
  ])('an open round that is %s is handed out by its name, and ops are notified', async (what, text) => {
    const running = await planner();
    const { items } = await tick(running, TICK);
    await running.write(OPEN, text);
    const again = await tick(running, '2026-11-21T03:15:00Z');
    expect(again.items).toEqual(items);
    if (what !== 'in the future') expect(mailText(running)).toContain(OPEN);
    await running.plan({ kind: 'daily', finished: again.itemsKey });
    expect(running.keys('plan/open/')).toEqual([]);
  });

  test('objects with other names among the open rounds are reported once, and left alone', async () => {
    const running = await planner();
    const strange = [
      'plan/open/daily/x.json',
      'plan/open/daily/20261341T030000Z.json',
      'plan/open/daily/a/20261121T030000Z.json',
    ];
    for (const key of strange) await running.write(key, '{}');
    for (const time of [TICK, '2026-11-21T03:15:00Z']) await tick(running, time);
    expect(running.mails()).toHaveLength(1);
    for (const key of strange) expect(mailText(running)).toContain(key);
    expect(running.keys('plan/open/')).toEqual(expect.arrayContaining(strange));
  });

  test('objects with other names, however many, hide no round, and are reported in one mail', async () => {
    const running = await planner();
    const { items } = await tick(running, TICK);
    assert.exists(items);
    for (let index = 0; index < 1_100; index += 1) await running.write(`plan/open/daily/0${index}`, '');
    const again = await tick(running, '2026-11-21T06:30:00Z');
    expect(again.items).toEqual(expect.arrayContaining(items));
    expect(running.mails()).toHaveLength(1);
    expect(mailText(running)).toContain('1000 more');
    await running.plan({ kind: 'daily', finished: again.itemsKey });
    expect(running.keys('plan/open/daily/2')).toEqual([]);
  });

  test.each([
    ['not JSON', '{'],
    ['without a tick', '{ "tick": 5 }'],
    ['far too long', `{"tick":"${'x'.repeat(100_000)}"}`],
  ])(
    'a last tick that is %s makes no tick fail: the tick looks 24 hours back, notifies ops, and is recorded',
    async (_, text) => {
      const running = await planner();
      await tick(running, '2026-11-20T02:00:00Z');
      await running.write('plan/daily.json', text);
      const { items } = await tick(running, '2026-11-21T03:15:00Z');
      expect(dayItemsOf(items).map(({ merchantCode, days }) => [merchantCode, days[0]])).toEqual([
        ['700001', '2026-11-20'],
        ['700002', '2026-11-20'],
        ['700002', '2026-11-19'],
        ['700003', '2026-11-19'],
      ]);
      expect(mailText(running)).toContain('plan/daily.json');
      expect(output.lines().filter(({ level }) => level === 'WARN')).toContainEqual(
        expect.objectContaining({
          key: 'plan/daily.json',
          reason: matcher(expect.any(String)),
        }),
      );
      expect(await tick(running, '2026-11-21T03:30:00Z')).toMatchObject({ itemCount: 0 });
      expect(running.mails()).toHaveLength(1);
    },
  );
});

describe('a plain tick by hand', () => {
  test('has the window of the schedule, and does not affect the schedule', async () => {
    const running = await planner();
    await tick(running, '2026-11-21T02:45:00Z');
    const before = running.keys('plan/');
    running.setTime('2026-11-21T03:05:05Z');
    const byHand = await running.plan({ kind: 'daily', scheduledTime: '2026-11-21T03:05:00Z' });
    expect(byHand.itemCount).toBe(3);
    expect(running.keys('plan/').filter((key) => !before.includes(key))).toEqual([byHand.itemsKey]);
    const { items } = await tick(running, '2026-11-21T03:15:00Z');
    expect(items?.map(({ merchantCode }) => merchantCode)).toEqual(['700001', '700002', '700002']);
  });

  test('never replaces the items that an execution is reading', async () => {
    const running = await planner();
    const { itemsKey, items } = await tick(running, TICK);
    assert.exists(itemsKey);
    await running.write(REGISTRY, registryText([{ merchantCode: 'NEW' }]));
    await running.remove('config/last-good/merchants.json');
    const byHand = await running.plan({ kind: 'daily', scheduledTime: TICK });
    expect(byHand.itemsKey).toMatch(/^plan\/daily\/20261121T030000Z-[0-9a-f]{8}\.json$/);
    expect(JSON.parse(defined(await running.read(itemsKey)))).toEqual(items);
  });

  test('made several times, a quarter of an hour apart, has the right items each time', async () => {
    const running = await planner();
    const found: string[] = [];
    for (const time of ['02:45', '03:00', '03:15', '03:45', '04:00', '04:15']) {
      const { items } = await running.plan({ kind: 'daily', scheduledTime: `2026-11-21T${time}:00Z` });
      assert.exists(items);
      found.push(
        ...dayItemsOf(items).map(({ merchantCode, days }) => `${time} ${merchantCode} ${days.join(' ')}`),
      );
    }
    expect(found).toEqual([
      '03:00 700001 2026-11-20 2026-11-19',
      '03:00 700002 2026-11-20',
      '03:00 700002 2026-11-19',
      '04:00 700003 2026-11-20',
    ]);
    expect(running.keys('plan/').filter((key) => !key.startsWith('plan/daily/'))).toEqual([]);
  });

  test('hands out no round of the schedule, and ends none', async () => {
    const running = await planner();
    await tick(running, TICK);
    running.setTime('2026-11-21T09:00:05Z');
    const { items } = await running.plan({ kind: 'daily', scheduledTime: '2026-11-21T09:00:00Z' });
    expect(items?.map(({ merchantCode }) => merchantCode)).toEqual(['700003']);
    expect(running.keys('plan/open/')).toEqual([OPEN]);
  });
});

describe('an object that S3 does not return', () => {
  test.each([
    ['the record of an open round', OPEN],
    ['the items of a round whose execution died', ITEMS],
    ['the record of the last tick', 'plan/daily.json'],
  ])('does not stop later ticks from planning due merchants, and ops are notified: %s', async (_, key) => {
    const running = await planner();
    await tick(running, TICK);
    const action = { kind: 'error', status: 403, code: 'InvalidObjectState' } as const;
    const refused = new RegExp(`^${key.replaceAll('.', String.raw`\.`)}$`);
    sandbox().faults.add({ service: 's3', operation: 'GetObject', key: refused, times: Infinity, action });
    const { items } = await tick(running, '2026-11-21T06:30:00Z');
    expect(items).toContainEqual(expect.objectContaining({ merchantCode: '700003' }));
    expect(mailText(running)).toContain(`S3 GetObject of ${key} failed: InvalidObjectState`);
  });
});
