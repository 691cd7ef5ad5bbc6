import { sealPage, sealPeriod, statementAt } from '#support/statement/statement-world.ts';
import { textLike, defined } from '#support/assertions/index.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { BUCKET, useWorld } from '#support/world/daybook-world.ts';

const [FIRST, SECOND] = ['700001', '700002'] as const;
const STATEMENTS = { weekly: { on: 'sunday', at: '08:00' } };
const GROUPS = [{ name: 'shops', merchants: 'all', recipients: ['boss@group.example'], ...STATEMENTS }];
const WEEK = '2026-W47';
const TICK = '2026-11-22T05:00:00Z';
const FOLDER = `statements/period=${WEEK}/merchant=${FIRST}`;
const EVENT = { kind: 'statement', scheduledTime: TICK };

const world = useWorld({ merchants: 2 });
beforeEach(async () => {
  await world.putRegistry({ [FIRST]: { statements: STATEMENTS } }, {}, { groups: GROUPS });
  world.clock.setTo('2026-11-22T03:30:00.000Z');
  for (const merchantCode of [FIRST, SECOND]) await sealPeriod(world, WEEK, { merchantCode });
  world.clock.setTo('2026-11-22T05:01:00.000Z');
});

/** Plans, and runs what is due. */
async function planAndRun(event: Record<string, unknown>) {
  const planned = await world.plan(event);
  for (const item of planned.items ?? []) await world.statement({ ...item });
  return planned;
}

const requests = (operation: string) =>
  world.aws.requests.filter((request) => request.operation === operation);

describe('plan of the kind "statement"', () => {
  it('answers with the items and sends them, which are events of the function "statement"', async () => {
    const shared = {
      period: WEEK,
      scheduledTime: TICK,
      revisions: [1, 1, 1, 1, 1, 1, 1],
      // The time of the look, which is not that of the tick.
      seen: { at: textLike(/^2026-11-22T05:01:0/), from: '2026-11-15' },
    };
    const answer = await world.plan(EVENT);
    expect(answer).toEqual({
      itemCount: 2,
      sent: true,
      items: [
        { merchantCode: FIRST, send: true, ...shared },
        { merchantCode: SECOND, send: false, ...shared },
      ],
      lookedAt: 3,
      rejected: [],
      notices: [],
    });
    expect(world.queues.sent('reports')).toEqual(answer.items);
    expect(world.keys('plan/')).toEqual([]);
  });

  it('sends the page of the group after the statements of its merchants, and each once', async () => {
    await planAndRun(EVENT);
    expect((await planAndRun({ ...EVENT, scheduledTime: '2026-11-22T05:15:00Z' })).items).toMatchObject([
      { group: 'shops', period: WEEK, send: true },
    ]);
    const third = await world.plan({ ...EVENT, scheduledTime: '2026-11-22T05:30:00Z' });
    expect(third).toMatchObject({ itemCount: 0, sent: true, items: [] });
    expect(world.mails().map(({ tags }) => tags['kind'])).toEqual(['statement', 'group']);
  });

  it('reads a statement only if a day is newer, and finds the new revision', async () => {
    await planAndRun(EVENT);
    await planAndRun({ ...EVENT, scheduledTime: '2026-11-22T05:15:00Z' });
    world.clock.setTo('2026-11-23T03:10:00.000Z');
    await sealPage(world, { merchantCode: FIRST, day: '2026-11-21', revision: 2 });
    const tomorrow = { ...EVENT, scheduledTime: '2026-11-23T05:00:00Z' };
    world.clock.setTo('2026-11-23T05:01:00.000Z');
    const before = requests('GetObject').length;
    expect((await planAndRun(tomorrow)).items).toMatchObject([
      { merchantCode: FIRST, revisions: [1, 1, 1, 1, 1, 1, 2] },
    ]);
    const reads = requests('GetObject')
      .slice(before)
      .flatMap(({ key = '' }) => (key.startsWith('statements/') ? [key] : []));
    expect(reads[0]).toContain(`merchant=${FIRST}/r0001.json`);
    expect(reads.filter((key) => key.includes(SECOND))).toEqual([]);
    expect((await statementAt(world, WEEK, 2)).days.at(-1)).toMatchObject({ revision: 2 });
    expect((await world.plan(tomorrow)).items).toEqual([]);
  });

  it('looks at an old week only when the marker of a change names one of its days', async () => {
    const old = '2026-W20';
    await world.putRegistry({ [FIRST]: { statements: { ...STATEMENTS, correctFor: '366d' } } });
    world.clock.setTo('2026-05-17T05:00:00.000Z');
    await sealPeriod(world, old);
    await world.statement({ merchantCode: FIRST, period: old });
    world.clock.setTo('2026-11-22T03:00:00.000Z');
    await sealPage(world, { merchantCode: FIRST, day: '2026-05-12', revision: 2 });
    world.clock.setTo('2026-11-22T05:01:00.000Z');
    const items = async () => (await world.plan(EVENT)).items;
    const note = (what: string) =>
      world.aws.s3.write(BUCKET, `changes/noted_on=2026-11-22/0300-${what}-2026-05-12.json`, '{}');
    await note('mail');
    expect(await items()).toMatchObject([{ period: WEEK }]);
    await note('days');
    expect(await items()).toMatchObject([{ period: old }, { period: WEEK }]);
  });

  it('sends a statement that cannot be read, so that its function names it', async () => {
    const output = captureOutput();
    await planAndRun(EVENT);
    await sealPage(world, { merchantCode: FIRST, day: '2026-11-21', revision: 2 });
    await world.aws.s3.write(BUCKET, `${FOLDER}/r0001.json`, 'no JSON');
    const { items } = await world.plan({ ...EVENT, scheduledTime: '2026-11-22T05:30:00Z' });
    expect(items).toMatchObject([{ merchantCode: FIRST }, { group: 'shops' }]);
    const failures = output.lines().flatMap((line) => line['failure'] ?? []);
    const failed = { name: 'StoredObjectError' };
    expect(failures).toMatchObject([failed]);
    await expect(world.statement({ ...defined(items?.[0]) })).rejects.toMatchObject(failed);
  });

  it('looks at some merchants only, without pages and at any time of the day, when a person names them', async () => {
    await planAndRun(EVENT);
    await sealPage(world, { merchantCode: FIRST, day: '2026-11-21', revision: 2 });
    world.clock.setTo('2026-11-23T20:00:00.000Z');
    const answer = await world.plan({ kind: 'statement', merchants: [FIRST, '999999'], send: false });
    expect(answer).toMatchObject({
      items: [{ merchantCode: FIRST, period: WEEK, send: false, scheduledTime: null }],
      rejected: [{ path: 'merchants[1]' }],
    });
  });

  it('ignores objects that only look like sealed days and statements', async () => {
    const keys = [
      ...['r0001.json.bak', 'r001.json', 'copy/r0001.json'].map((name) => `${FOLDER}/${name}`),
      `mail/period=${WEEK}/person=${FIRST}/r0001.json`,
      `days/day=2026-11-21/merchant=${FIRST}/r00002.json`,
    ];
    for (const key of keys) await world.aws.s3.write(BUCKET, key, '{}');
    expect((await world.plan(EVENT)).items).toMatchObject([
      { merchantCode: FIRST, revisions: [1, 1, 1, 1, 1, 1, 1] },
      { merchantCode: SECOND },
    ]);
  });

  it('says which groups of the registry cannot be used', async () => {
    await world.putRegistry({}, {}, { groups: [{ ...GROUPS[0], merchants: [] }] });
    expect(await world.plan(EVENT)).toMatchObject({ items: [], rejected: [{ path: 'groups[0].merchants' }] });
  });

  it('fails when a listing fails, and sends nothing', async () => {
    const action = { kind: 'error', status: 500, code: 'InternalError' } as const;
    world.awsDoes(action, { service: 's3', operation: 'ListObjectsV2', times: Infinity });
    await expect(world.plan(EVENT)).rejects.toMatchObject({ name: 'StorageError' });
    expect(world.keys('plan/')).toEqual([]);
  });
});
