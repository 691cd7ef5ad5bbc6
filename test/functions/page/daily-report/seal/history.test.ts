import * as z from 'zod';
import { addDays } from '#records/day/business-day.ts';
import { historyKey, manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { dayFiguresSchema, readingOf } from '#records/figures/history.ts';
import { defined } from '#support/assertions/index.ts';

const KEY = historyKey(CODE);

const world = useWorld();
beforeEach(() => {
  world.clock.setTo('2026-11-21T06:00:00Z');
  for (const days of [0, 1, 2, 3])
    world.payments.data.seedDay(CODE, back(days), { invoices: 4 + days, refunds: 1 });
});

const HISTORY = z.object({ days: z.array(dayFiguresSchema) });
const stored = async () => HISTORY.parse(JSON.parse(await world.text(KEY))).days;

/** So many days before {@link DAY}. */
const back = (days: number) => addDays(DAY, -days);
const seal = (day: string) => world.report({ day, send: false });

/** The days of the history: each with its revision and its number of invoices. */
async function remembered(): Promise<Record<string, string>> {
  const days = await stored();
  expect(new Set(days.map(({ day }) => day)).size).toBe(days.length);
  return Object.fromEntries(days.map(({ day, revision, counts }) => [day, `${revision}: ${counts.total}`]));
}

async function edit(what: RegExp, by: string): Promise<void> {
  await world.aws.s3.write(BUCKET, KEY, (await world.text(KEY)).replace(what, by));
}

describe('the first reading of a day', () => {
  const before = back(1);
  const firstTotals = async () =>
    Object.fromEntries((await stored()).map(({ day, first }) => [day, first?.counts.total ?? null]));

  it('stays in the history and in later revisions, and the next day’s report compares with it', async () => {
    await seal(before);
    for (const _again of [2, 3]) {
      world.payments.data.insertInvoice(CODE, before);
      await seal(before);
    }
    expect(await remembered()).toEqual({ [before]: '3: 7' });
    expect(await firstTotals()).toEqual({ [before]: 5 });
    const said = await Promise.all([1, 2, 3].map((revision) => world.manifest(revision, CODE, before)));
    expect(said.map(({ first }) => first?.counts.total)).toEqual([5, 5, 5]);
    expect(said[0]?.first).toEqual(readingOf(defined(said[0])));
    // It is found again when the history is lost.
    await world.aws.s3.remove(BUCKET, KEY);
    await world.report();
    expect((await world.manifest(1)).history).toMatchObject([
      { day: before, revision: 3, counts: { total: 7 }, first: { counts: { total: 5 } } },
    ]);
    expect(await firstTotals()).toEqual({ [DAY]: 4, [before]: 5 });
  });

  it('is not that of a day so far', async () => {
    world.clock.setTo(`${before}T12:00:00+03:00`);
    await seal(before);
    expect((await world.manifest(1, CODE, before)).first).toBeNull();
    world.clock.setTo('2026-11-21T06:00:00Z');
    world.payments.data.insertInvoice(CODE, before);
    await seal(before);
    expect((await world.manifest(2, CODE, before)).first?.counts.total).toBe(6);
    expect(await firstTotals()).toEqual({ [before]: 6 });
  });
});

it('a day of Eid is sealed with the same day of the Hijri year before, which is not stored again', async () => {
  const [day, yearBefore] = ['2026-03-20', '2025-03-30'];
  world.clock.setTo('2026-03-21T06:00:00Z');
  for (const one of [yearBefore, addDays(yearBefore, -1), day])
    world.payments.data.seedDay(CODE, one, { invoices: 3, refunds: 0 });
  for (const one of [yearBefore, addDays(yearBefore, -1)]) await seal(one);
  await world.aws.s3.remove(BUCKET, KEY);
  await seal(day);
  expect((await world.manifest(1, CODE, day)).history.map((known) => known.day)).toEqual([yearBefore]);
  expect(Object.keys(await remembered())).toEqual([day]);
});

it('a change in the history makes no revision and no mail of a day', async () => {
  await world.report();
  await seal(back(1));
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
  for (const days of [2, 1]) await seal(back(days));
  await spoil();
  await world.report();
  expect((await world.manifest(1)).history).toHaveLength(2);
  expect(Object.keys(await remembered())).toEqual([DAY, back(1), back(2)]);
  expect(world.mails('report')).toHaveLength(1);
});

it('if the history is missing and an older day is reported first, later days are found too, but no damaged one', async () => {
  for (const days of [1, 3, 2]) await seal(back(days));
  await world.aws.s3.remove(BUCKET, KEY);
  await world.aws.s3.write(BUCKET, manifestKey(back(2), CODE, 1), '{');
  await seal(back(3));
  expect(Object.keys(await remembered())).toEqual([back(1), back(3)]);
});

it('if S3 does not return the history, the report uses the sealed days and is sent', async () => {
  await seal(back(1));
  const action = { kind: 'error', status: 403, code: 'InvalidObjectState' } as const;
  world.awsDoes(action, { operation: 'GetObject', key: /^history\//, times: Infinity });
  expect((await world.report()).mail.status).toBe('sent');
  expect((await world.manifest(1)).history).toHaveLength(1);
});

it('the day before is found although its run died before it wrote the history, and is in the history from then on', async () => {
  await seal(back(2));
  const known = await world.text(KEY);
  await seal(back(1));
  await world.aws.s3.write(BUCKET, KEY, known);
  await world.report();
  const days = [back(1), back(2)];
  expect((await world.manifest(1)).history.map(({ day }) => day)).toEqual(days);
  expect(Object.keys(await remembered())).toEqual([DAY, ...days]);
});

it('the next run adds to the history what a run could not, and the mail is sent in both cases', async () => {
  await world.aws.s3.remove(BUCKET, KEY);
  world.refusePuts(/^history\//);
  expect((await world.report()).mail.status).toBe('sent');
  expect(world.keys('history/')).toEqual([]);
  world.aws.faults.clear();
  expect((await world.report()).mail.status).toBe('already-sent');
  expect(await remembered()).toEqual({ [DAY]: '1: 4' });
});

it.each(['', 'nothing'])(
  'runs of several days at once lose none of these days, with %j before',
  async (before) => {
    if (before === '') await world.aws.s3.remove(BUCKET, KEY);
    else await world.aws.s3.write(BUCKET, KEY, before);
    const days = [0, 1, 2, 3].map(back);
    await Promise.all(days.map(seal));
    expect(Object.keys(await remembered())).toEqual(days);
  },
);
