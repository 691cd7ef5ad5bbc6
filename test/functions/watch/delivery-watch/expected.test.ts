import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { allWell, otherMissing, removeFromRegistry, watch } from '#support/watch/running-watch.ts';
import { textWith } from '#support/assertions/index.ts';

const OTHER = '700002';

const world = useWorld({ merchants: 2 });
beforeEach(() => {
  for (const code of [CODE, OTHER]) world.payments.data.seedDay(code, DAY, { invoices: 4, refunds: 1 });
});
afterEach(() => vi.unstubAllEnvs());

const firstIsWell = () => world.report();
const otherReport = () => world.report({ merchantCode: OTHER });

describe('the watch', () => {
  it('expects a report of a merchant with an unusable entry, and names it by its code or its place', async () => {
    await world.putRegistry({
      [CODE]: { merchantCode: 'a/b' },
      [OTHER]: { timeZone: 'Nowhere/City', reportAt: '06:30' },
    });
    // Half past six in Kuwait, the zone of the registry's default. The second merchant's deadline has not passed yet.
    expect(await watch(world)).toMatchObject({
      missing: [
        { merchantCode: 'merchants[0]', day: DAY, reason: 'entry not usable' },
        { merchantCode: OTHER, day: '2026-11-19', reason: 'entry not usable' },
      ],
    });
    expect(await watch(world, { now: '2026-11-21T04:30:00Z' })).toMatchObject({
      missing: [{ day: DAY }, { merchantCode: OTHER, day: DAY, reason: 'entry not usable' }],
    });
  });

  it('accepts a report that arrived before the merchant’s entry became unusable', async () => {
    await firstIsWell();
    await otherReport();
    await world.putRegistry({ [OTHER]: { recipients: 'nobody' } });
    expect(await watch(world)).toEqual(allWell(2));
  });

  it('expects a report of a removed merchant that had a sealed day in the last fourteen days', async () => {
    await firstIsWell();
    await removeFromRegistry(world, OTHER);
    expect(await watch(world)).toEqual(allWell(1));
    const sealedOn = (day: string) => `days/day=${day}/merchant=${OTHER}/r0001.json`;
    await world.aws.s3.write(BUCKET, sealedOn('2026-11-06'), '{}');
    expect(await watch(world)).toEqual(allWell(1));
    await world.aws.s3.write(BUCKET, sealedOn('2026-11-07'), '{}');
    expect(await watch(world)).toEqual(otherMissing('not in the registry any more'));
  });

  it('expects nothing before the deadline: until then it checks the day before', async () => {
    await firstIsWell();
    await otherReport();
    const before = await watch(world, { now: '2026-11-21T03:59:59.999Z' });
    expect(before.missing.map(({ day }) => day)).toEqual(['2026-11-19', '2026-11-19']);
    expect(await watch(world)).toEqual(allWell(2));
    vi.stubEnv('DEADLINES_DELIVERY_MINUTES', '61');
    expect((await watch(world)).missing).toHaveLength(2);
    expect(await watch(world, { now: '2026-11-21T04:01:00Z' })).toEqual(allWell(2));
    vi.stubEnv('DEADLINES_DELIVERY_MINUTES', '');
    expect(await watch(world)).toEqual(allWell(2));
  });

  it('expects nothing for a day before the merchant’s reportFrom', async () => {
    await firstIsWell();
    await world.putRegistry({ [OTHER]: { reportFrom: '2026-11-21' } });
    expect(await watch(world)).toEqual(allWell(1));
    expect(await watch(world, { day: DAY })).toEqual(allWell(1));
    expect((await watch(world, { now: '2026-11-22T04:00:00Z' })).expected).toBe(2);
  });

  it('expects every merchant’s report when the event names a day', async () => {
    await firstIsWell();
    const early = { now: '2026-11-21T00:00:00Z', day: DAY };
    expect(await watch(world, early)).toEqual(otherMissing('no run'));
  });
});

it.each(['soon', '-1', '1441', '1.5'])(
  'a deadline of %s minutes is refused with an error that names the variable',
  async (text) => {
    vi.stubEnv('DEADLINES_DELIVERY_MINUTES', text);
    await expect(async () => watch(world)).rejects.toMatchObject({
      name: 'EnvironmentError',
      message: textWith('environment variable DEADLINES_DELIVERY_MINUTES'),
    });
  },
);

describe('the check of an event', () => {
  it.each([
    [{ day: '2026-02-30' }, 'day'],
    [{ day: 'yesterday' }, 'day'],
    [{ day: '2026-11-22' }, 'day'],
    [{ now: 'soon' }, 'now'],
    [{ dya: DAY }, 'dya'],
  ])('refuses with an error that names the wrong member: %j', async (event, member) => {
    await expect(watch(world, event)).rejects.toMatchObject({ name: 'InvalidEventError', member });
    expect(world.aws.requests).toEqual([]);
  });

  it('accepts a day that has begun in some zone', async () => {
    expect((await watch(world, { day: '2026-11-22', now: '2026-11-21T10:00:00Z' })).expected).toBe(2);
  });
});
