import { dataKey, manifestKey, alertStateKey, ledgerKey, pageLedgerKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, MORNING_AFTER, useWorld } from '#support/world/daybook-world.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { leaveDead, sweep } from '#support/watch/running-watch.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';

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
    const left = world.keys().filter((key) => !key.startsWith('mail/ops/'));
    expect(left).toEqual([...kept, `${ORPHAN}.bak`].toSorted());
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
    world.awsDoes(
      { kind: 'call', after: seal },
      { operation: 'ListObjectsV2', key: /^invoices\/json\/day=/, times: Infinity },
    );
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

const LEDGERS = [
  ledgerKey(DAY, CODE, 1),
  pageLedgerKey({ owner: { group: 'owners' }, period: '2026-10', revision: 1 }),
];
const NAMES = ['r0001.json.bak', 'r0001.json\n', 'r1.json', 'r00001.json', 'before/r0001.json'];
const SIMILAR = LEDGERS.flatMap((key) => NAMES.map((name) => key.replace('r0001.json', name)));

it.each([...SIMILAR, ledgerKey(DAY, CODE, 1).replace('merchant=', 'copies/merchant=')])(
  'a key that is only similar to the key of a ledger is left alone: %j',
  async (key) => {
    await leaveDead(world, key, 'report', ['owner@merchants.example']);
    const copy = await world.text(key);
    world.clockAhead += 2 * HOUR;
    expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
    expect(await world.text(key)).toBe(copy);
    expect(world.keys('mail/ops/')).toEqual([]);
  },
);

describe('the state of a merchant', () => {
  beforeEach(async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 0 });
    await world.putRegistry({ [CODE]: { alerts: [{ name: 'many', measure: 'invoiceCount', above: 20 }] } });
    await world.alertCheck({ day: DAY });
    world.payments.data.insertInvoice(CODE, DAY, {});
    world.clockAhead += 2 * HOUR;
  });

  it('is left alone if a check came after it was listed and has not begun its mail yet', async () => {
    // The sandbox stamps objects by the machine's clock. For the sweep the state is as old as before the check.
    const action = { kind: 'call', before: () => sweep(world).then(() => undefined) } as const;
    world.awsDoes(action, { service: 's3', operation: 'PutObject', key: /^mail\/alerts\// });
    expect(await world.alertCheck({ day: DAY })).toMatchObject({ mailed: true });
    expect(world.mails('ops')).toEqual([]);
  });

  it('is examined once, whatever copies are stored beside it', async () => {
    const action = { kind: 'reset', when: 'before' } as const;
    world.awsDoes(action, { service: 's3', operation: 'PutObject', key: /^mail\/alerts\//, times: Infinity });
    await expect(world.alertCheck({ day: DAY })).rejects.toThrow();
    world.aws.faults.clear();
    await world.aws.s3.write(BUCKET, `${alertStateKey(CODE)}.bak`, 'a copy');
    world.clockAhead += 2 * HOUR;
    for (let time = 0; time < 2; time += 1) await sweep(world);
    expect(world.mails('ops')).toHaveLength(1);
  });
});

/** S3 refuses every such request. */
function refuse(operation: string, key: RegExp, skip = 0): void {
  world.awsDoes(knownErrors.s3.accessDenied, { operation, key, skip, times: Infinity });
}

/** Ledgers of dead runs, one for each merchant. Each run mailed its only recipient and does not know the outcome. */
async function leaveDeadOf(merchants: readonly string[]): Promise<void> {
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
  await leaveDeadOf([CODE, ...others]);
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
  await leaveDeadOf([CODE]);
  // The listings of sixteen days of ledgers, of the periods and of the rule states succeed.
  refuse('ListObjectsV2', /^/, 18);
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
