import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDays } from '../../../functions/shared/core/business-day.ts';
import { historyKey, manifestKey } from '../../../functions/shared/core/keys.ts';
import type { Manifest } from '../../../functions/shared/core/manifest.ts';
import { BUCKET, CODE, DAY, DaybookWorld } from '../../fakes/daybook-world.ts';

const KEY = historyKey(CODE);

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start();
  for (let back = 0; back <= 3; back += 1) {
    world.payments.data.seedDay(CODE, addDays(DAY, -back), { invoices: 4 + back, refunds: 1 });
  }
});
afterEach(() => world.close());

async function remembered(): Promise<[string, number, number | null][]> {
  const { days } = JSON.parse(await world.text(KEY)) as {
    days: { day: string; revision: number; counts: { total: number | null } }[];
  };
  return days.map(({ day, revision, counts }) => [day, revision, counts.total]);
}

async function sealed(day: string, revision: number): Promise<Manifest> {
  return JSON.parse(await world.text(manifestKey(day, CODE, revision))) as Manifest;
}

const historyRequests = () =>
  world.aws.requests.filter(({ key }) => key === KEY).map(({ operation }) => operation);

it('a report knows the days before it, and the mail shows them', async () => {
  for (const back of [3, 1]) await world.report({ day: addDays(DAY, -back), send: false });
  await world.report();
  const { history } = await sealed(DAY, 1);
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

it('a day that is corrected is corrected there, too, and shows in the next day’s report', async () => {
  const before = addDays(DAY, -1);
  await world.report({ day: before, send: false });
  world.payments.data.insertInvoice(CODE, before);
  await world.report({ day: before, send: false });
  await world.report();
  expect((await sealed(DAY, 1)).history).toMatchObject([{ day: before, revision: 2, counts: { total: 6 } }]);
});

it('takes one read before the pull, and after it one read and one write; none is written when nothing is new', async () => {
  await world.report({ send: false });
  expect(historyRequests()).toEqual(['GetObject', 'GetObject', 'PutObject']);
  world.aws.requests.length = 0;
  await world.report({ send: false });
  expect(historyRequests()).toEqual(['GetObject', 'GetObject']);
});

it.each([
  ['is gone', () => world.aws.s3.remove(BUCKET, KEY)],
  ['is spoilt', () => world.aws.s3.write(BUCKET, KEY, '{"days":[{"day":7}]}')],
  ['is no JSON', () => world.aws.s3.write(BUCKET, KEY, 'nothing')],
])('where it %s, it is made anew of the sealed days', async (_what, spoil) => {
  for (const back of [2, 1]) await world.report({ day: addDays(DAY, -back), send: false });
  await spoil();
  await world.report();
  expect((await sealed(DAY, 1)).history).toHaveLength(2);
  expect((await remembered()).map(([day]) => day)).toEqual([DAY, addDays(DAY, -1), addDays(DAY, -2)]);
});

it('what a run could not remember the next one does, and the mail goes out all the same', async () => {
  world.aws.faults.add({
    operation: 'PutObject',
    key: /^history\//,
    times: Infinity,
    action: { kind: 'error', status: 403, code: 'AccessDenied' },
  });
  expect((await world.report()).mail.status).toBe('sent');
  expect(world.keys('history/')).toEqual([]);
  world.aws.faults.clear();
  expect((await world.report()).mail.status).toBe('already-sent');
  expect(await remembered()).toEqual([[DAY, 1, 4]]);
});

it('runs of several days at once lose none of them', async () => {
  const days = [0, 1, 2, 3].map((back) => addDays(DAY, -back));
  await Promise.all(days.map((day) => world.report({ day, send: false })));
  expect((await remembered()).map(([day]) => day)).toEqual(days);
});

it('a dry run remembers nothing', async () => {
  await world.report({ dryRun: true });
  expect(world.keys('history/')).toEqual([]);
});
