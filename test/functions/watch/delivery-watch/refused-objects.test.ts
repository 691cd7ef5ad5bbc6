import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { watch } from '#support/delivery-watch/running-watch.ts';

const CODES = ['700001', '700002'];

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start({ merchants: 2 });
  for (const code of CODES) world.payments.data.seedDay(code, DAY, { invoices: 2, refunds: 0 });
  for (const merchantCode of CODES) await world.report({ merchantCode });
});
afterEach(() => world.close());

/** S3 answers like this whenever an object of this merchant is requested. */
function refuse(key: RegExp, status: number, code: string): void {
  const action = { kind: 'error', status, code } as const;
  world.aws.faults.add({ service: 's3', operation: 'GetObject', key, times: Infinity, action });
}

it.each([
  ['was moved to an archive', 403, 'InvalidObjectState'],
  ['is encrypted with a key that Daybook may not use', 403, 'AccessDenied'],
  ['is encrypted with a key that only the writer has', 400, 'InvalidRequest'],
])('an object of one merchant that %s hides no other merchant, and is named', async (_, status, code) => {
  refuse(/^mail\/day=.*merchant=700002/, status, code);
  const output = captureOutput();
  expect(await watch(world)).toMatchObject({
    expected: 2,
    delivered: 1,
    missing: [{ merchantCode: '700002', day: DAY, reason: 'records not readable' }],
  });
  expect(output.text()).toContain(`merchant=700002/r0001.json failed: ${code}`);
  expect(world.mails('ops')).toHaveLength(1);
});

it('when S3 itself fails, no merchant is blamed: the watch ends with an error, and the next run checks again', async () => {
  refuse(/^mail\/day=/, 500, 'InternalError');
  await expect(watch(world)).rejects.toMatchObject({ name: 'StorageError', code: 'InternalError' });
  expect(world.mails('ops')).toHaveLength(0);
});
