import { describe, expect, it } from 'vitest';
import { dataKey, manifestKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, MORNING_AFTER, useWorld } from '#support/world/daybook-world.ts';
import { sweep } from '#support/sweep/running-sweep.ts';

const HOUR = 60 * 60 * 1_000;
const DAYS = 24 * HOUR;
const MORNING = Date.parse(MORNING_AFTER);
const PULL = '20261121T030005Z-9f2c61aa';
const ORPHAN = dataKey('invoices', 'json', DAY, CODE, PULL);

const world = useWorld();

/** Sweeps for a whole day, so that every recent day has its turn. */
async function sweepForADay(): Promise<number> {
  let removed = 0;
  for (let hour = 0; hour < 25; hour += 1) {
    world.clockAhead += HOUR;
    removed += (await sweep(world)).removed;
  }
  return removed;
}

describe('a file that a crash leaves in the bucket', () => {
  it('is removed when it is two days old, and nothing else is ever removed', async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 2 });
    await world.report();
    world.payments.data.insertInvoice(CODE, DAY, {});
    await world.report();
    const kept = world.keys();
    await world.aws.s3.write(BUCKET, ORPHAN, 'half');
    await world.aws.s3.write(BUCKET, `${ORPHAN}.bak`, 'not ours');
    // Sweeps until the file is 46 hours old, and again from 49 hours on.
    world.clock.setTo(MORNING + 21 * HOUR);
    expect(await sweepForADay()).toBe(0);
    expect(world.keys()).toContain(ORPHAN);
    world.clock.setTo(MORNING + 2 * DAYS);
    expect(await sweepForADay()).toBe(1);
    expect(world.keys().filter((key) => !key.startsWith('mail/ops/'))).toEqual(
      [...kept, `${ORPHAN}.bak`].filter((key) => !key.startsWith('mail/ops/')).toSorted(),
    );
  });

  it('is left alone if a manifest of that day and merchant cannot be read', async () => {
    await world.report();
    await world.aws.s3.write(BUCKET, ORPHAN, 'half');
    await world.aws.s3.write(BUCKET, `days/day=${DAY}/merchant=${CODE}/r0002.json`, '{');
    world.clock.setTo(MORNING + 3 * DAYS);
    expect(await sweepForADay()).toBe(0);
    expect(world.keys()).toContain(ORPHAN);
  });

  it('is left alone if the manifest that names it comes while the sweep lists files', async () => {
    await world.report();
    await world.aws.s3.write(BUCKET, ORPHAN, 'half');
    const { files, ...manifest } = await world.manifest(1);
    const placed = files.map((file) => ({ ...file, key: dataKey(file.table, file.format, DAY, CODE, PULL) }));
    const text = JSON.stringify({ ...manifest, revision: 2, pull: PULL, files: placed });
    const seal = () => world.aws.s3.write(BUCKET, manifestKey(DAY, CODE, 2), text);
    world.aws.faults.add({
      operation: 'ListObjectsV2',
      key: /^invoices\/json\/day=/,
      times: Infinity,
      action: { kind: 'call', after: seal },
    });
    world.clock.setTo(MORNING + 3 * DAYS);
    expect(await sweepForADay()).toBe(0);
    expect(world.keys('days/')).toHaveLength(2);
  });

  it('has the age that the clock says, whatever "now" the event asks for', async () => {
    await world.aws.s3.write(BUCKET, ORPHAN, 'half');
    // In 25 hours every recent day has its turn.
    for (let hour = 0; hour < 25; hour += 1) {
      const now = new Date(world.clock.now() + 3 * DAYS + hour * HOUR).toISOString();
      expect(await sweep(world, { now })).toMatchObject({ removed: 0 });
    }
    expect(world.keys()).toContain(ORPHAN);
  });
});
