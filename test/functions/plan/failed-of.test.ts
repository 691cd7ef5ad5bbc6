import { describe, expect, it } from 'vitest';
import { plannerOn, sandboxOfFile } from '#support/plan/running-plan.ts';
import { defined } from '#support/assertions/defined.ts';
import { matcher } from '#support/assertions/matcher.ts';

const sandbox = sandboxOfFile();

const DIRECTORY = 'plan/results/daily/ad9b5f27-090b-3ac6-9beb-243cd77144a7';
const MANIFEST = `${DIRECTORY}/manifest.json`;

function item(merchantCode: string, changes: Record<string, unknown> = {}) {
  return {
    merchantCode,
    days: ['2026-11-20', '2026-11-17'],
    send: true,
    scheduledTime: '2026-11-21T03:00:00Z',
    ...changes,
  };
}

/** A child as Step Functions exports it, with more members than Daybook reads. */
function child(status: string, input: unknown) {
  return {
    Cause: 'a text that may say anything',
    Error: 'ServerError',
    ExecutionArn: 'arn:aws:states:eu-central-1:111122223333:execution:daybook/FirstRound:0b7c',
    Input: JSON.stringify(input),
    InputDetails: { Included: true },
    Name: '0b7c',
    Status: status,
  };
}

/** The files that a Distributed Map leaves in the bucket. */
async function plannerAfterRound(files: Record<string, unknown[]>, manifest = MANIFEST) {
  const planner = plannerOn(sandbox());
  const directory = manifest.replace('/manifest.json', '');
  const ResultFiles: Record<string, { Key: string; Size: number }[]> = {
    FAILED: [],
    PENDING: [],
    SUCCEEDED: [],
  };
  for (const [name, children] of Object.entries(files)) {
    const Key = `${directory}/${name}.json`;
    await planner.write(Key, JSON.stringify(children));
    defined(ResultFiles[defined(name.split('_')[0])]).push({ Key, Size: 1 });
  }
  await planner.write(
    manifest,
    JSON.stringify({ DestinationBucket: planner.bucket, MapRunArn: 'arn:aws:states:…', ResultFiles }),
  );
  return planner;
}

describe('the failed items of a round', () => {
  it('are planned again unchanged, from every file, with those that were never started', async () => {
    const never = item('700005', { send: false, scheduledTime: null });
    const planner = await plannerAfterRound({
      SUCCEEDED_0: [child('SUCCEEDED', item('700001'))],
      FAILED_0: [child('FAILED', item('700002')), child('TIMED_OUT', item('700003'))],
      FAILED_1: [child('ABORTED', item('700004'))],
      PENDING_0: [child('PENDING', never)],
    });
    const items = [item('700002'), item('700003'), item('700004'), never];
    const result = await planner.plan({ kind: 'daily', failedOf: MANIFEST, planned: 5 });
    expect(result).toEqual({
      itemCount: 4,
      itemsKey: matcher(expect.stringMatching(/^plan\/daily\/20261121T030005Z-[0-9a-f]{8}\.json$/)),
      items,
      rejected: [],
      notices: [],
    });
    expect(JSON.parse(defined(await planner.read(defined(result.itemsKey))))).toEqual(items);
  });

  it('of a batch are all of its items, and an item that appears twice counts once', async () => {
    const manifest = MANIFEST.replace('daily', 'alert');
    const planner = await plannerAfterRound(
      {
        FAILED_0: [
          child('FAILED', { Items: [item('700001'), item('700002')] }),
          child('FAILED', { BatchInput: {}, Items: [item('700002')] }),
        ],
      },
      manifest,
    );
    const result = await planner.plan({ kind: 'alert', failedOf: manifest, of: 30 });
    expect(result).toMatchObject({ itemCount: 2, failedPercentage: 6.67 });
    expect(result.itemsKey).toMatch(/^plan\/alert\//);
  });

  const five = ['1', '2', '3', '4', '5'].map((end) => item(`70000${end}`));
  const [first, second, , , fifth] = five;
  it.each([
    ['1 of 5 failed: ["700002: StateContestedError"]', [second]],
    ['2 of 10 failed: ["700002 2026-11-20: ServerError","700002 2026-11-17: Sandbox.Timedout"]', [second]],
    [
      '2 of 10 failed: ["700005 2026-11-17: ServerError","700001 2026-11-20: States.Timeout"]',
      [first, fifth],
    ],
    // What is not known is a failure.
    ['', five],
    ['the execution timed out', five],
    ['1 of 5 failed: ["700002"]', five],
    ['1 of 5 failed: ["700002: a name: with a colon"]', five],
    ['1 of 5 failed: []', five],
    ['1 of 5 failed: {}', five],
    ['1 of 5 failed: ["700002: ServerError"', five],
    ['2 of 5 failed: ["700002: ServerError"]', five],
    ['1 of 5 failed: ["700009: ServerError"]', five],
    ['1 of 5 failed: ["700002 2026-11-01: ServerError"]', five],
    ['2 of 5 failed: ["700002: ServerError","700009: ServerError"]', five],
  ])('of a batch with the cause %s are those that it names', async (cause, failed) => {
    const planner = await plannerAfterRound({
      FAILED_0: [{ ...child('FAILED', { Items: five }), Cause: cause }],
    });
    const { items } = await planner.plan({ kind: 'daily', failedOf: MANIFEST, planned: 5 });
    expect(items).toEqual(failed);
  });

  it('of a batch are only those days of a merchant that failed, where it has two items', async () => {
    const Items = [
      item('700001', { days: ['2026-11-20'] }),
      item('700001', { days: ['2026-11-17'], send: false }),
    ];
    const Cause = '1 of 2 failed: ["700001 2026-11-17: ServerError"]';
    const planner = await plannerAfterRound({ FAILED_0: [{ ...child('FAILED', { Items }), Cause }] });
    const { items } = await planner.plan({ kind: 'daily', failedOf: MANIFEST });
    expect(items).toEqual([Items[1]]);
  });

  it('are those of both results of a first round, which must add up together', async () => {
    const planner = await plannerAfterRound({
      SUCCEEDED_0: [child('SUCCEEDED', item('700001'))],
      FAILED_0: [child('FAILED', item('700002', { large: true }))],
    });
    const other = MANIFEST.replace('ad9b5f27', 'bd9b5f27');
    const key = other.replace('manifest', 'FAILED_0');
    await planner.write(
      key,
      JSON.stringify([child('TIMED_OUT', { Items: [item('700003'), item('700004')] })]),
    );
    await planner.write(
      other,
      JSON.stringify({ ResultFiles: { FAILED: [{ Key: key }], PENDING: [], SUCCEEDED: [] } }),
    );
    const failedOf = [MANIFEST, other];
    const run = { places: 50 };
    expect(await planner.plan({ kind: 'daily', failedOf, planned: 4, run })).toMatchObject({
      items: [item('700002', { large: true }), item('700003'), item('700004')],
      own: { itemCount: 3, places: 50 },
      shared: { itemCount: 0 },
    });
    await expect(planner.plan({ kind: 'daily', failedOf, planned: 5 })).rejects.toMatchObject({
      name: 'RoundResultsError',
    });
  });

  it('of statements are statements and pages, as they were', async () => {
    const manifest = MANIFEST.replace('daily', 'statement');
    const shared = { period: '2026-W47', send: true, scheduledTime: '2026-11-22T05:00:00Z' };
    const items = [
      { merchantCode: '700001', ...shared, revisions: [1, 0, 2, 1, 1, 1, 1] },
      { group: 'shops', ...shared },
    ];
    const files = { FAILED_0: [child('FAILED', { Items: items })] };
    const planner = await plannerAfterRound(files, manifest);
    const result = await planner.plan({ kind: 'statement', failedOf: manifest, planned: 2, of: 40 });
    expect(result).toMatchObject({ itemCount: 2, items, failedPercentage: 5 });
    expect(result.itemsKey).toMatch(/^plan\/statement\//);
  });

  it('are an empty list if all succeeded, and nothing is written', async () => {
    const planner = await plannerAfterRound({ SUCCEEDED_0: [child('SUCCEEDED', item('700001'))] });
    const before = planner.keys();
    expect(await planner.plan({ kind: 'daily', failedOf: MANIFEST, of: 10 })).toEqual({
      itemCount: 0,
      itemsKey: null,
      items: [],
      rejected: [],
      notices: [],
      failedPercentage: 0,
    });
    expect(planner.keys()).toEqual(before);
  });

  it.each([
    [1, 20, 5],
    [1, 3, 33.34],
    [1, 10_000, 0.01],
    [1, 30_000, 0.01],
    [3, 3, 100],
  ])(
    '%i of %i are %d %%: the share is never rounded down to the tolerated one',
    async (failed, of, failedPercentage) => {
      const children = Array.from({ length: failed }, (_, index) => child('FAILED', item(`70000${index}`)));
      const planner = await plannerAfterRound({ FAILED_0: children });
      expect(await planner.plan({ kind: 'daily', failedOf: MANIFEST, of })).toMatchObject({
        failedPercentage,
      });
    },
  );

  it('change neither the last tick nor the registry', async () => {
    const planner = await plannerAfterRound({ FAILED_0: [child('FAILED', item('700002'))] });
    await planner.plan({ kind: 'daily', failedOf: MANIFEST });
    expect(await planner.read('plan/daily.json')).toBeUndefined();
    expect(planner.keys('config/')).toEqual([]);
  });

  it('are passed on as a key if there are many, so the answer stays small', async () => {
    const children = Array.from({ length: 10_000 }, (_, index) =>
      child('FAILED', item((700_001 + index).toString())),
    );
    const planner = await plannerAfterRound({ FAILED_0: children });
    const result = await planner.plan({ kind: 'daily', failedOf: MANIFEST, of: 10_000 });
    expect(result).toMatchObject({ itemCount: 10_000, failedPercentage: 100 });
    expect(result).not.toHaveProperty('items');
    expect(JSON.stringify(result).length).toBeLessThan(300);
  });
});

describe('results that do not name every item do not count as success', () => {
  const batch = { Items: [item('700001'), item('700002'), item('700003')] };
  it.each([
    ['an empty manifest', {}, 3, 'name no items'],
    ['an empty manifest, asked for by hand', {}, undefined, 'name no items'],
    ['files without items', { SUCCEEDED_0: [], FAILED_0: [] }, undefined, 'name no items'],
    [
      'a child that is in no file',
      { SUCCEEDED_0: [child('SUCCEEDED', item('700001'))] },
      2,
      'name 1 items, but it had 2',
    ],
    [
      'a batch that is in no file',
      { SUCCEEDED_0: [child('SUCCEEDED', batch)] },
      6,
      'name 3 items, but it had 6',
    ],
    [
      'a child too many',
      { SUCCEEDED_0: [child('SUCCEEDED', item('700001'))], FAILED_0: [child('FAILED', item('700002'))] },
      1,
      'name 2 items, but it had 1',
    ],
    [
      'one child twice instead of two',
      { SUCCEEDED_0: [child('SUCCEEDED', item('700001')), child('SUCCEEDED', item('700001'))] },
      2,
      'name 1 items, but it had 2',
    ],
  ])('%s', async (_, files: Record<string, unknown[]>, planned, why) => {
    const planner = await plannerAfterRound(files);
    await expect(
      planner.plan({ kind: 'daily', failedOf: MANIFEST, ...(planned !== undefined && { planned }), of: 10 }),
    ).rejects.toMatchObject({
      name: 'RoundResultsError',
      key: MANIFEST,
      message: matcher(expect.stringContaining(why)),
    });
    expect(planner.keys('plan/daily')).toEqual([]);
  });

  it('they are complete if succeeded, failed and never started items add up', async () => {
    const planner = await plannerAfterRound({
      SUCCEEDED_0: [child('SUCCEEDED', batch)],
      SUCCEEDED_1: [child('SUCCEEDED', { Items: [item('700004')] })],
      FAILED_0: [child('FAILED', { Items: [item('700005'), item('700006')] })],
      PENDING_0: [child('PENDING', { Items: [item('700007')] })],
    });
    const result = await planner.plan({ kind: 'daily', failedOf: MANIFEST, planned: 7, of: 7 });
    expect(result).toMatchObject({ itemCount: 3, failedPercentage: 42.86 });
  });

  it('an item that both failed and succeeded counts as failed', async () => {
    const planner = await plannerAfterRound({
      SUCCEEDED_0: [child('SUCCEEDED', item('700001'))],
      FAILED_0: [child('FAILED', item('700001'))],
    });
    expect(await planner.plan({ kind: 'daily', failedOf: MANIFEST, planned: 1 })).toMatchObject({
      itemCount: 1,
    });
  });

  it('a file of succeeded items that is cut off or missing', async () => {
    const planner = await plannerAfterRound({ SUCCEEDED_0: [child('SUCCEEDED', item('700001'))] });
    const file = `${DIRECTORY}/SUCCEEDED_0.json`;
    const text = defined(await planner.read(file));
    await planner.write(file, text.slice(0, -1));
    const ask = () => planner.plan({ kind: 'daily', failedOf: MANIFEST, planned: 1 });
    await expect(ask()).rejects.toMatchObject({
      name: 'StoredObjectError',
      message: `object ${file} is cut off`,
    });
    await planner.remove(file);
    await expect(ask()).rejects.toThrow(`object ${file} is not there`);
  });

  it('ten thousand succeeded items with long outputs are counted', async () => {
    const children = Array.from({ length: 10_000 }, (_, index) => ({
      ...child('SUCCEEDED', item(String(700_001 + index))),
      Output: JSON.stringify({ padding: 'x'.repeat(2_000) }),
    }));
    const planner = await plannerAfterRound({ SUCCEEDED_0: children });
    const ask = (planned: number) =>
      planner.plan({ kind: 'daily', failedOf: MANIFEST, planned, of: planned });
    expect(await ask(10_000)).toMatchObject({ itemCount: 0, failedPercentage: 0 });
    await expect(ask(10_001)).rejects.toMatchObject({ name: 'RoundResultsError' });
  });
});

describe('undocumented results are never ignored', () => {
  it.each([
    ['an input that is not JSON', [{ Input: '{' }]],
    ['a child without its input', [{ InputDetails: { Included: false } }]],
    ['an item with an unknown member', [child('FAILED', item('700001', { to: ['x@example.com'] }))]],
    ['an item without days', [child('FAILED', item('700001', { days: [] }))]],
    ['a malformed day', [child('FAILED', item('700001', { days: ['2026-02-30'] }))]],
    ['a malformed merchant code', [child('FAILED', item('../700001'))]],
    ['one bad item in a batch', [child('FAILED', { Items: [item('700001'), {}] })]],
  ])('%s', async (_, children) => {
    const planner = await plannerAfterRound({ FAILED_0: children });
    await expect(planner.plan({ kind: 'daily', failedOf: MANIFEST })).rejects.toMatchObject({
      name: 'StoredObjectError',
      key: `${DIRECTORY}/FAILED_0.json`,
    });
    expect(planner.keys('plan/daily')).toEqual([]);
  });

  it('a manifest that is missing, or that names a missing file', async () => {
    const planner = plannerOn(sandbox());
    const ask = () => planner.plan({ kind: 'daily', failedOf: MANIFEST });
    await expect(ask()).rejects.toThrow(`object ${MANIFEST} is not there`);
    const FAILED = [{ Key: `${DIRECTORY}/FAILED_0.json`, Size: 1 }];
    await planner.write(MANIFEST, JSON.stringify({ ResultFiles: { FAILED, PENDING: [] } }));
    await expect(ask()).rejects.toThrow(`object ${DIRECTORY}/FAILED_0.json is not there`);
  });

  it('a manifest that names a file outside its folder', async () => {
    const planner = plannerOn(sandbox());
    const FAILED = [{ Key: 'config/merchants.json', Size: 1 }];
    await planner.write(MANIFEST, JSON.stringify({ ResultFiles: { FAILED, PENDING: [] } }));
    await expect(planner.plan({ kind: 'daily', failedOf: MANIFEST })).rejects.toThrow(
      'names a file outside its folder',
    );
  });
});

describe('an event with "failedOf"', () => {
  it.each([
    [{ failedOf: 'config/merchants.json' }, 'failedOf: must be the key of a manifest under plan/results/'],
    [{ failedOf: `plan/results/daily/../../config/manifest.json` }, 'failedOf: must be the key'],
    [{ failedOf: MANIFEST.replace('daily', 'alert') }, 'failedOf: is not of the kind "daily"'],
    [{ failedOf: MANIFEST, day: '2026-11-20' }, 'day: does not go with "failedOf"'],
    [{ failedOf: MANIFEST, send: false }, 'send: does not go with "failedOf"'],
    [{ failedOf: MANIFEST, scheduledTime: '2026-11-21T03:00:00Z' }, 'scheduledTime: does not go with'],
    [{ failedOf: MANIFEST, of: 0 }, 'of: is out of bounds'],
    [{ of: 3 }, 'of: goes with "failedOf" only'],
    [{ planned: 3 }, 'planned: goes with "failedOf" only'],
    [{ failedOf: MANIFEST, planned: 0 }, 'planned: is out of bounds'],
  ])('%j is refused', async (event, message) => {
    const planner = plannerOn(sandbox());
    await expect(planner.plan({ kind: 'daily', ...event })).rejects.toMatchObject({
      name: 'InvalidEventError',
      message: matcher(expect.stringContaining(message)),
    });
  });
});
