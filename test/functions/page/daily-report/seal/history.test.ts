import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { historyKey, manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { dayFiguresSchema } from '#records/figures/history.ts';

const KEY = historyKey(CODE);

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.ofTest();
  world.clock.setTo('2026-11-21T06:00:00Z');
  for (let back = 0; back <= 3; back += 1) {
    world.payments.data.seedDay(CODE, addDays(DAY, -back), { invoices: 4 + back, refunds: 1 });
  }
});

const HISTORY = z.object({ days: z.array(dayFiguresSchema) });

async function remembered(): Promise<[string, number, number | null][]> {
  const { days } = HISTORY.parse(JSON.parse(await world.text(KEY)));
  return days.map(({ day, revision, counts }) => [day, revision, counts.total]);
}

async function edit(what: RegExp, by: string): Promise<void> {
  await world.aws.s3.write(BUCKET, KEY, (await world.text(KEY)).replace(what, by));
}

const historyRequests = () =>
  world.aws.requests.filter(({ key }) => key === KEY).map(({ operation }) => operation);

it('a report knows the days before it, and the mail shows them', async () => {
  for (const back of [3, 1]) await world.report({ day: addDays(DAY, -back), send: false });
  await world.report();
  const { history } = await world.manifest(1);
  expect(history.map(({ day, counts }) => [day, counts.total])).toEqual([
    [addDays(DAY, -1), 5],
    [addDays(DAY, -3), 7],
  ]);
  expect(await remembered()).toEqual([
    [DAY, 1, 4],
    [addDays(DAY, -1), 1, 5],
    [addDays(DAY, -3), 1, 7],
  ]);
  const [mail] = world.mails('report');
  expect(mail?.raw.toString().replaceAll('=\r\n', '')).toContain('The last 14 days');
});

it('a corrected day is also corrected in the history, and the next day’s report shows the correction', async () => {
  const before = addDays(DAY, -1);
  await world.report({ day: before, send: false });
  world.payments.data.insertInvoice(CODE, before);
  await world.report({ day: before, send: false });
  await world.report();
  expect((await world.manifest(1)).history).toMatchObject([
    { day: before, revision: 2, counts: { total: 6 } },
  ]);
});

it('the history is read once if a pull fails, for the merchant id in it', async () => {
  world.payments.behaviour.loginRefused = true;
  await expect(world.report()).rejects.toThrow();
  expect(historyRequests()).toEqual(['GetObject']);
});

it('a change in the history makes no revision and no mail of a day', async () => {
  await world.report();
  await world.report({ day: addDays(DAY, -1), send: false });
  expect(await world.report()).toMatchObject({ revision: 1, unchanged: true });
  expect((await world.manifest(1)).history).toEqual([]);
  expect(world.mails()).toHaveLength(1);
});

it.each([
  ['is missing', () => world.aws.s3.remove(BUCKET, KEY)],
  ['is damaged', () => world.aws.s3.write(BUCKET, KEY, '{"days":[{"day":7}]}')],
  ['is not JSON', () => world.aws.s3.write(BUCKET, KEY, 'nothing')],
  ['has a malformed amount', () => edit(/"paid":"[^"]*"/, '"paid":"x"')],
  ['has a malformed day', () => edit(/"day":"[^"]*"/, '"day":"2026-11-1x"')],
])('if the history %s, it is rebuilt from the sealed days', async (_what, spoil) => {
  for (const back of [2, 1]) await world.report({ day: addDays(DAY, -back), send: false });
  await spoil();
  await world.report();
  expect((await world.manifest(1)).history).toHaveLength(2);
  expect((await remembered()).map(([day]) => day)).toEqual([DAY, addDays(DAY, -1), addDays(DAY, -2)]);
  expect(world.mails('report')).toHaveLength(1);
});

it('if the history is missing and an older day is reported first, the later days are found too', async () => {
  for (const back of [1, 3, 2]) await world.report({ day: addDays(DAY, -back), send: false });
  await world.aws.s3.remove(BUCKET, KEY);
  await world.report({ day: addDays(DAY, -3), send: false });
  expect((await remembered()).map(([day]) => day)).toEqual([1, 2, 3].map((back) => addDays(DAY, -back)));
});

it('if the history is missing, a damaged manifest of another day is left out and stops no report', async () => {
  for (const back of [2, 1]) await world.report({ day: addDays(DAY, -back), send: false });
  await world.aws.s3.remove(BUCKET, KEY);
  await world.aws.s3.write(BUCKET, manifestKey(addDays(DAY, -2), CODE, 1), '{');
  expect((await world.report()).mail.status).toBe('sent');
  expect((await remembered()).map(([day]) => day)).toEqual([DAY, addDays(DAY, -1)]);
});

it('if S3 does not return the history, the report uses the sealed days and is sent', async () => {
  await world.report({ day: addDays(DAY, -1), send: false });
  const action = { kind: 'error', status: 403, code: 'InvalidObjectState' } as const;
  world.aws.faults.add({ operation: 'GetObject', key: /^history\//, times: Infinity, action });
  expect((await world.report()).mail.status).toBe('sent');
  expect((await world.manifest(1)).history).toHaveLength(1);
});

it('the day before is found although its run died before it wrote the history, and is in the history from then on', async () => {
  await world.report({ day: addDays(DAY, -2), send: false });
  const known = await world.text(KEY);
  await world.report({ day: addDays(DAY, -1), send: false });
  await world.aws.s3.write(BUCKET, KEY, known);
  await world.report();
  const days = [1, 2].map((back) => addDays(DAY, -back));
  expect((await world.manifest(1)).history.map(({ day }) => day)).toEqual(days);
  expect((await remembered()).map(([day]) => day)).toEqual([DAY, ...days]);
});

it('the next run adds to the history what a run could not, and the mail is sent in both cases', async () => {
  world.refusePuts(/^history\//);
  expect((await world.report()).mail.status).toBe('sent');
  expect(world.keys('history/')).toEqual([]);
  world.aws.faults.clear();
  expect((await world.report()).mail.status).toBe('already-sent');
  expect(await remembered()).toEqual([[DAY, 1, 4]]);
});

it.each(['', 'nothing'])(
  'runs of several days at once lose none of these days, with %j before',
  async (before) => {
    if (before !== '') await world.aws.s3.write(BUCKET, KEY, before);
    const days = [0, 1, 2, 3].map((back) => addDays(DAY, -back));
    await Promise.all(days.map((day) => world.report({ day, send: false })));
    expect((await remembered()).map(([day]) => day)).toEqual(days);
  },
);

it('a report looks for no other day than the one before it, when a history without days is stored', async () => {
  await world.putEmptyHistories();
  await world.report();
  const listed = world.aws.requests.flatMap(({ operation, key = '' }) =>
    operation === 'ListObjectsV2' && key.startsWith('days/') ? [key] : [],
  );
  const days = [DAY, addDays(DAY, -1)].map((day) => `days/day=${day}/merchant=${CODE}/`);
  expect(new Set(listed)).toEqual(new Set(days));
});
