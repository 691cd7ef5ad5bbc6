import { groupPageAt, sealPage, sealPeriod, statementAt } from '#support/statement/statement-world.ts';
import { BUCKET, CODE, useWorld } from '#support/world/daybook-world.ts';

/*
 * Ten thousand merchants have a statement on one day, and a group may have all of them. So what a statement asks of S3 is a
 * promise: requests are most of its price, and most of a group's time.
 */

const [FIRST, SECOND, THIRD] = ['700001', '700002', '700003'] as const;
const MERCHANTS = [FIRST, SECOND, THIRD];
const GROUP = { name: 'all-shops', merchants: 'all', recipients: ['boss@group.example'], daily: true };

const world = useWorld({ merchants: MERCHANTS.length });

beforeEach(async () => {
  await world.putRegistry({}, {}, { groups: [GROUP] });
  world.clock.setTo('2026-12-01T06:00:00.000Z');
});

/** The keys and prefixes of the requests of each operation while something is done. */
async function asked(work: () => Promise<unknown>) {
  const before = world.aws.requests.length;
  await work();
  const made = world.aws.requests.slice(before);
  return (operation: 'ListObjectsV2' | 'GetObject' | 'PutObject') =>
    made.filter((request) => request.operation === operation).map(({ key }) => key ?? '');
}

/** Puts a copy of a revision under a later number, as a later run seals it. */
async function sealAgain(period: string, from: number, to: number): Promise<void> {
  const folder = `statements/period=${period}/merchant=${CODE}/`;
  const statement = await statementAt(world, period, from);
  const later = { ...statement, revision: to, previous: `${folder}r000${to - 1}.json` };
  await world.aws.s3.write(BUCKET, `${folder}r000${to}.json`, JSON.stringify(later));
}

describe('the statement of a month that plan asks for', () => {
  const EVENT = {
    merchantCode: CODE,
    period: '2026-11',
    revisions: Array.from({ length: 30 }, () => 1),
    seen: { at: '2026-12-01T05:59:00.000Z', from: '2026-11-01' },
  };

  /** Makes the statement of a month on that day, and sets the clock back. */
  async function stateAt(day: string, period: string): Promise<void> {
    world.clock.setTo(`${day}T06:00:00.000Z`);
    await world.statement({ merchantCode: CODE, period, send: false });
    world.clock.setTo('2026-12-01T06:00:00.000Z');
  }

  it('lists the revisions of itself and of the two statements that it is compared with, and no day', async () => {
    for (const period of ['2025-11', '2026-10', '2026-11']) await sealPeriod(world, period);
    await stateAt('2025-12-01', '2025-11');
    await stateAt('2026-11-01', '2026-10');
    expect((await asked(() => world.statement(EVENT)))('ListObjectsV2')).toEqual(
      ['2026-11', '2026-10', '2025-11'].map((period) => `statements/period=${period}/merchant=${CODE}/`),
    );
    expect(await statementAt(world, '2026-11', 1)).toMatchObject({
      before: { period: '2026-10', revision: 1, counts: { total: 310 }, received: '1860.000' },
      lastYear: { period: '2025-11', revision: 1, counts: { total: 300 } },
    });
  });

  it('reads each day once, and no ledger: it has just taken the number; it writes itself, and its ledger twice', async () => {
    await sealPeriod(world, '2026-11');
    const made = await asked(() => world.statement(EVENT));
    const written = made('PutObject').map((key) => key.split('/')[0]);
    expect(written.filter((folder) => folder !== 'changes')).toEqual(['statements', 'mail', 'mail']);
    const read = made('GetObject');
    const folders = Map.groupBy(read, (key) => key.split('/')[0]);
    expect([...folders].map(([folder, { length }]) => [folder, length]).sort()).toEqual([
      // A cold start looks for the last good registry, too.
      ['config', 2],
      ['days', 30],
      // For the open invoices of days before.
      ['history', 1],
      // Of all mail to the address, and of statements.
      ['mail-stops', 2],
    ]);
    expect(world.payments.requests).toEqual([]);
  });

  it.each([
    [1, 3],
    [2, 3],
    [3, 2],
  ])('is compared with the newest readable revision: spoilt %i, compared %i', async (spoilt, compared) => {
    await sealPeriod(world, '2026-10');
    await sealPeriod(world, '2026-11');
    await stateAt('2026-11-01', '2026-10');
    await sealAgain('2026-10', 1, 2);
    await sealAgain('2026-10', 1, 3);
    const key = `statements/period=2026-10/merchant=${CODE}/r000${spoilt}.json`;
    await world.aws.s3.write(BUCKET, key, 'no JSON');
    await world.statement(EVENT);
    expect((await statementAt(world, '2026-11', 1)).before).toMatchObject({ revision: compared });
  });
});

describe('the statement of a week with a page that cannot be read', () => {
  const EVENT = { merchantCode: CODE, period: '2026-W47' };
  const spoil = (day: string) =>
    world.aws.s3.write(BUCKET, `days/day=${day}/merchant=${CODE}/r0001.json`, JSON.stringify({ amounts: 1 }));

  it('adds up the others, and has the day among the missing ones, unless a statement had it before', async () => {
    await sealPeriod(world, '2026-W47');
    await world.statement({ ...EVENT, send: false });
    await spoil('2026-11-18');
    expect(await world.statement(EVENT)).toMatchObject({ revision: 1, unchanged: true, final: true });
    await world.aws.s3.remove(BUCKET, `statements/period=2026-W47/merchant=${CODE}/r0001.json`);
    expect(await world.statement(EVENT)).toMatchObject({ final: false, missing: ['2026-11-18'] });
    expect((await statementAt(world, '2026-W47', 1)).counts.total).toBe(60);
  });

  it('fails with the key when there is no other', async () => {
    await sealPage(world, { day: '2026-11-18' });
    await spoil('2026-11-18');
    await expect(world.statement(EVENT)).rejects.toThrow('days/day=2026-11-18/merchant=700001/r0001.json');
  });
});

describe("a group's page", () => {
  const sealAll = (day: string) =>
    Promise.all(MERCHANTS.map((merchantCode) => sealPage(world, { merchantCode, day })));
  const pagesRead = async (folder: string, event: Record<string, unknown>) => {
    const read = (await asked(() => world.statement(event)))('GetObject');
    return read.filter((key) => key.startsWith(folder) && key.includes('/merchant='));
  };

  it('reads of the day before only what has changed since its page', async () => {
    await sealAll('2026-11-19');
    await world.statement({ group: GROUP.name, period: '2026-11-19' });
    const amounts = { paid: '71.000', notPaid: '19.500', cancelled: '1.000', other: '0.000' };
    await sealPage(world, { merchantCode: SECOND, day: '2026-11-19', revision: 2, amounts });
    await sealAll('2026-11-20');
    const event = { group: GROUP.name, period: '2026-11-20' };
    expect((await pagesRead('days/', event)).sort()).toEqual([
      `days/day=2026-11-19/merchant=${SECOND}/r0002.json`,
      ...MERCHANTS.map((code) => `days/day=2026-11-20/merchant=${code}/r0001.json`),
    ]);
    expect((await groupPageAt(world, '2026-11-20', 1, GROUP.name)).corrections).toMatchObject([
      {
        ...{ merchantCode: SECOND, period: '2026-11-19', fromRevision: 1, toRevision: 2 },
        before: { received: '60.000', refunds: '5.000' },
        after: { received: '71.000', refunds: '5.000' },
      },
    ]);
  });

  it('lists the statements of its merchants together, and reads the newest of each once', async () => {
    for (const merchantCode of MERCHANTS) {
      await sealPeriod(world, '2026-11', { merchantCode });
      await world.statement({ merchantCode, period: '2026-11', send: false });
    }
    await sealAgain('2026-11', 1, 2);
    const event = { group: GROUP.name, period: '2026-11' };
    const made = await asked(() => world.statement(event));
    const newest = [`${FIRST}/r0002.json`, `${SECOND}/r0001.json`, `${THIRD}/r0001.json`];
    const merchant = 'statements/period=2026-11/merchant=';
    expect(made('GetObject').filter((key) => key.startsWith(merchant))).toEqual(
      newest.map((page) => `${merchant}${page}`),
    );
    const own = (period: string) => `statements/period=${period}/group=${GROUP.name}/`;
    expect(made('ListObjectsV2')).toEqual([own('2026-11'), merchant, own('2026-10')]);
    const { merchants } = await groupPageAt(world, '2026-11', 1, GROUP.name);
    const revisions = merchants.map(({ merchantCode, revision }) => `${merchantCode} ${revision}`);
    expect(revisions).toEqual([`${FIRST} 2`, `${SECOND} 1`, `${THIRD} 1`]);
  });

  it('has no corrections when the page before is spoilt', async () => {
    await sealAll('2026-11-19');
    await world.statement({ group: GROUP.name, period: '2026-11-19' });
    const key = `statements/period=2026-11-19/group=${GROUP.name}/r0002.json`;
    await world.aws.s3.write(BUCKET, key, 'no JSON');
    await sealAll('2026-11-20');
    expect(await world.statement({ group: GROUP.name, period: '2026-11-20' })).toMatchObject({ final: true });
    expect((await groupPageAt(world, '2026-11-20', 1, GROUP.name)).corrections).toEqual([]);
  });
});
