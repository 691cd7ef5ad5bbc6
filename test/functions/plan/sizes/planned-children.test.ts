import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { planItemSchema } from '#plan/plan-item.ts';
import { dataKey } from '#records/storage/keys.ts';
import { registryText } from '#support/plan/merchants.ts';
import { plannerOn, REGISTRY, sandboxOfFile } from '#support/plan/running-plan.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { defined } from '#support/assertions/defined.ts';

const sandbox = sandboxOfFile();
const TICK = '2026-11-21T03:00:00Z';
const RUN = { places: 50, largeBytes: 100_000 };
/** Codes sort in another way than their numbers, and one begins with another. */
const CODES = ['700', '7001', '700-1', 'B', 'a'];

const itemsSchema = z.array(planItemSchema);
type Planner = ReturnType<typeof plannerOn>;

beforeEach(() => {
  captureOutput();
  sandbox().faults.clear();
});

/** What a merchant had on a day: as many bytes as the text has characters. */
async function had(planner: Planner, merchantCode: string, day: string, bytes: number, pull = '9f2c61aa') {
  const key = dataKey('invoices', 'json', day, merchantCode, `20261120T030005Z-${pull}`);
  await planner.write(key, 'x'.repeat(bytes));
}

async function plannerWith(codes: readonly string[]) {
  const planner = plannerOn(sandbox());
  await planner.write(REGISTRY, registryText(codes.map((merchantCode) => ({ merchantCode }))));
  return planner;
}

const itemsAt = async ({ read }: Planner, key: string | null | undefined) =>
  itemsSchema.parse(JSON.parse(defined(await read(defined(key))))).map(({ merchantCode }) => merchantCode);

describe('what plan knows of sizes', () => {
  it('puts the largest first, by the day before and the same day a week ago, whatever was sealed again', async () => {
    const planner = await plannerWith(CODES);
    await had(planner, '700', '2026-11-19', 3_000);
    await had(planner, '7001', '2026-11-19', 100);
    await had(planner, '7001', '2026-11-19', 9_000, '9f2c61ab');
    await had(planner, '700-1', '2026-11-13', 5_000);
    await had(planner, 'B', '2026-11-19', 7_000);
    await had(planner, 'a', '2026-11-18', 900_000);
    const { items, itemsKey } = await planner.plan({ kind: 'daily', scheduledTime: TICK });
    // "a" has neither of the two days: it may be large, so it begins early.
    const order = ['a', '7001', 'B', '700-1', '700'];
    expect(items?.map((item) => ('merchantCode' in item ? item.merchantCode : ''))).toEqual(order);
    expect(await itemsAt(planner, itemsKey)).toEqual(order);
  });

  it('is nothing when S3 fails, and everyone is planned all the same', async () => {
    const planner = await plannerWith(CODES);
    await had(planner, '700', '2026-11-19', 3_000);
    sandbox().faults.add({
      operation: 'ListObjectsV2',
      key: /^invoices\//,
      times: Infinity,
      action: { kind: 'error', status: 403, code: 'AccessDenied' },
    });
    expect(await planner.plan({ kind: 'daily', scheduledTime: TICK, run: RUN })).toMatchObject({
      itemCount: 5,
      own: { itemCount: 5 },
      shared: { itemCount: 0 },
    });
  });
});

describe('what plan says to the one who runs the items', () => {
  it('is which items share a child, which are large, and how many run at once', async () => {
    const planner = await plannerWith(CODES);
    for (const code of ['7001', '700-1', 'B']) await had(planner, code, '2026-11-19', 2_000);
    await had(planner, '700', '2026-11-19', 100_001);
    const result = await planner.plan({ kind: 'daily', scheduledTime: TICK, run: RUN });
    const { own, shared } = result;
    expect(await itemsAt(planner, own?.itemsKey)).toEqual(['a', '700']);
    expect(await itemsAt(planner, shared?.itemsKey)).toEqual(['7001', '700-1', 'B']);
    expect(own).toMatchObject({ itemCount: 2, itemsKey: 'plan/daily/20261121T030000Z/own.json' });
    expect(shared).toMatchObject({ itemCount: 3, itemsKey: 'plan/daily/20261121T030000Z/shared.json' });
    expect(defined(own).places + 5 * defined(shared).batches).toBeLessThanOrEqual(50);
    expect(result.items?.filter((item) => 'large' in item)).toMatchObject([
      { merchantCode: '700', large: true },
    ]);
    // The tick counts as one whose items run.
    expect(planner.keys('plan/daily.json')).toHaveLength(1);
  });

  it('is that nobody shares one when a person names a day, and again when nobody is due', async () => {
    const planner = await plannerWith(CODES);
    await had(planner, '700', '2026-11-19', 2_000);
    expect(await planner.plan({ kind: 'daily', day: '2026-11-20', run: RUN })).toMatchObject({
      own: { itemCount: 5, places: 50 },
      shared: { itemCount: 0, itemsKey: null },
    });
    const idle = { kind: 'daily', scheduledTime: '2026-11-21T09:00:00Z', run: RUN };
    expect(await planner.plan(idle)).toMatchObject({ itemCount: 0, own: { itemCount: 0, itemsKey: null } });
  });

  it('is nothing when nobody says that the items will run', async () => {
    const planner = await plannerWith(CODES);
    const result = await planner.plan({ kind: 'daily', scheduledTime: TICK });
    expect(result).not.toHaveProperty('own');
    expect(result).not.toHaveProperty('shared');
  });

  it('leaves the name of what a person plans as it was', async () => {
    const planner = await plannerWith(CODES);
    const event = { kind: 'daily', day: '2026-11-20' };
    const { itemsKey } = await planner.plan(event);
    expect(await planner.plan({ ...event, run: RUN })).toMatchObject({ itemsKey });
  });
});
