import { ledgerKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/index.ts';
import { requestsOf } from '#support/daily-report/failed-run.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const world = useWorld();
beforeEach(() => world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 3 }));

async function removeAll(prefix: string): Promise<void> {
  for (const key of world.keys(prefix)) await world.aws.s3.remove(BUCKET, key);
}

describe('what somebody has deleted', () => {
  it('a ledger: a run by hand mails again, a run of the schedule believes the record of the last pull', async () => {
    await world.report({ scheduledTime: '2026-11-21T04:00:00Z' });
    await world.aws.s3.remove(BUCKET, ledgerKey(DAY, CODE, 1));
    const later = await world.report({ scheduledTime: '2026-11-22T04:00:00Z' });
    expect(later.mail.status).toBe('already-sent');
    expect((await world.report()).mail.status).toBe('sent');
    expect(world.sendRequests()).toBe(2);
  });

  it('data files: the day is read all the same while its last pull has a record, and is refused without one', async () => {
    await world.report();
    await removeAll('refunds/');
    expect(await world.report()).toMatchObject({ unchanged: true });
    await removeAll('checked/');
    await expect(world.report()).rejects.toMatchObject({ name: 'StoredObjectError' });
  });
});

it.each([
  [100, 'is read all the same'],
  [101, 'is refused'],
])(
  'the data files of a day of many refunds, which somebody has deleted with %i of them, the day %s',
  async (refunds, what) => {
    const day = '2026-11-19';
    world.payments.data.seedDay(CODE, day, { invoices: 1, refunds });
    await world.report({ day });
    await removeAll('refunds/');
    const again = world.report({ day });
    if (what === 'is refused') await expect(again).rejects.toMatchObject({ name: 'StoredObjectError' });
    else expect(await again).toMatchObject({ unchanged: true });
  },
);

it('several runs at once leave files that no manifest names, and later mails are made from the sealed files only', async () => {
  await world.putRegistry({ [CODE]: { attachCsv: true } });
  // While the first run seals, another run that has read the same content is quicker.
  world.beforePut(/^days\//, async () => {
    await world.report();
  });
  expect(await world.report()).toMatchObject({ revision: 1, unchanged: true });
  const { files } = await world.manifest(1);
  const stored = [...world.keys('invoices/'), ...world.keys('refunds/')];
  const unnamed = stored.filter((key) => files.every((file) => file.key !== key));
  expect(unnamed).toHaveLength(files.length);
  for (const key of unnamed) await world.aws.s3.write(BUCKET, key, 'what a dead run left');
  expect((await world.report({ resend: true })).mail.status).toBe('sent');
  const [first, second] = await world.readMails('report');
  expect(second?.attachments[0]?.content).toEqual(defined(first?.attachments[0]).content);
});

it('a record under checked/ that cannot be written does not delay the mail, and the sealed day does not count as failed', async () => {
  world.refusePuts(/^checked\//);
  expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
  expect(world.keys('checked/')).toEqual([]);
});

it('two spellings of one scheduled time are one tick', async () => {
  await world.report({ scheduledTime: '2026-11-21T03:00:00Z' });
  const read = requestsOf(world, 'invoices');
  await world.report({ scheduledTime: '2026-11-21T03:00:00.000Z' });
  expect(requestsOf(world, 'invoices')).toBe(read);
});
