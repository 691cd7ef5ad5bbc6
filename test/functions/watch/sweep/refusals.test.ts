import { expect, it } from 'vitest';
import { alertStateKey, dataKey, ledgerKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { sweep } from '#support/sweep/running-sweep.ts';

const HOUR = 60 * 60 * 1_000;

const world = useWorld();

/** S3 refuses every such request. */
function refuse(operation: string, key: RegExp): void {
  const action = { kind: 'error', status: 403, code: 'AccessDenied' } as const;
  world.aws.faults.add({ service: 's3', operation, key, times: Infinity, action });
}

/** Ledgers of dead runs, one for each merchant. Each run mailed its only recipient and does not know the outcome. */
async function leaveDead(merchants: readonly string[]): Promise<void> {
  await world.report();
  const ledger = await world.ledger(1);
  const recipients = ledger.recipients.map((entry) => ({ ...entry, status: 'intended' }));
  for (const merchant of merchants) {
    const key = ledgerKey(DAY, merchant, 1);
    const dead = JSON.stringify({ ...ledger, key, status: 'intended', recipients });
    await world.aws.s3.write(BUCKET, key, dead);
  }
  world.aws.mail.messages.length = 0;
  world.clockAhead += 2 * HOUR;
}

it('a ledger that S3 always refuses prevents neither work on other ledgers nor the removal of files, and the sweep is not reported as complete', async () => {
  const others = Array.from({ length: 60 }, (_, index) => `${700_002 + index}`);
  await leaveDead([CODE, ...others]);
  refuse('GetObject', new RegExp(`^mail/day=${DAY}/merchant=${CODE}/`));
  const output = captureOutput();
  await expect(sweep(world)).rejects.toMatchObject({ name: 'SweepUnfinishedError' });
  expect(output.lines()).toContainEqual(expect.objectContaining({ MailsHeld: 60, FilesRemoved: 0 }));
  expect(output.text()).not.toContain('SweepRan');
  for (const merchant of others) expect((await world.ledger(1, merchant)).status).toBe('held');
});

it('a file that cannot be removed does not stop the removal of others', async () => {
  const files = ['9f2c61a1', '9f2c61a2'].map((random) =>
    dataKey('invoices', 'json', DAY, CODE, `20261121T030005Z-${random}`),
  );
  for (const file of files) await world.aws.s3.write(BUCKET, file, 'half');
  refuse('DeleteObject', /9f2c61a1/);
  world.clockAhead += 3 * 24 * HOUR;
  const failures: unknown[] = [];
  const output = captureOutput();
  for (let hour = 0; hour < 25; hour += 1) {
    world.clockAhead += HOUR;
    await sweep(world).catch((error: unknown) => failures.push(error));
  }
  expect(failures).toMatchObject([{ name: 'SweepUnfinishedError' }]);
  expect(world.keys('invoices/')).toEqual([files[0]]);
  expect(output.lines().filter(({ FilesRemoved }) => FilesRemoved === 1)).toHaveLength(1);
});

it('closed ledgers are counted even if the files cannot be listed afterwards', async () => {
  await leaveDead([CODE]);
  world.aws.faults.add({
    service: 's3',
    operation: 'ListObjectsV2',
    // The listings of sixteen days of ledgers, of the periods and of the rule states succeed.
    skip: 18,
    times: Infinity,
    action: { kind: 'error', status: 403, code: 'AccessDenied' },
  });
  const output = captureOutput();
  await expect(sweep(world)).rejects.toMatchObject({ name: 'StorageError' });
  expect(output.lines()).toContainEqual(expect.objectContaining({ MailsHeld: 1 }));
});

it('damaged objects are reported to ops, each of them once', async () => {
  await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), '{');
  await world.aws.s3.write(BUCKET, alertStateKey(CODE), '{}');
  world.clockAhead += 2 * HOUR;
  for (let times = 0; times < 2; times += 1) {
    expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
    expect(world.mails('ops')).toHaveLength(2);
  }
});

it.each([
  [{ nwo: '2026-11-21T03:00:00Z' }, 'nwo'],
  [{ now: 'soon' }, 'now'],
])('the event %j is refused with an error that names the member', async (event, member) => {
  await expect(sweep(world, event)).rejects.toMatchObject({ name: 'InvalidEventError', member });
});
