import { ledgerKey } from '#records/storage/keys.ts';
import { defined } from '#support/assertions/index.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

const world = useWorld();
beforeEach(() => world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 3 }));

/** The keys of data files and manifests. */
function sealedKeys(): string[] {
  return world.keys().filter((key) => /^(days|invoices|refunds)\//.test(key));
}

function listRequests(): number {
  return world.payments.requests.filter(({ operation }) => operation === 'invoices').length;
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
    for (const key of world.keys('refunds/')) await world.aws.s3.remove(BUCKET, key);
    expect(await world.report()).toMatchObject({ unchanged: true });
    for (const key of world.keys('checked/')) await world.aws.s3.remove(BUCKET, key);
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
    for (const key of world.keys('refunds/')) await world.aws.s3.remove(BUCKET, key);
    const again = world.report({ day });
    if (what === 'is refused') await expect(again).rejects.toMatchObject({ name: 'StoredObjectError' });
    else expect(await again).toMatchObject({ unchanged: true });
  },
);

describe('several runs at once', () => {
  it('leave files that no manifest names, and later mails are made from the sealed files only', async () => {
    await world.putRegistry({ [CODE]: { attachCsv: true } });
    // While the first run seals, another run that has read the same content is quicker.
    world.beforePut(/^days\//, async () => {
      await world.report();
    });
    expect(await world.report()).toMatchObject({ revision: 1, unchanged: true });
    const { files } = await world.manifest(1);
    const unnamed = sealedKeys().filter(
      (key) => !key.startsWith('days/') && files.every((file) => file.key !== key),
    );
    expect(unnamed).toHaveLength(files.length);
    for (const key of unnamed) await world.aws.s3.write(BUCKET, key, 'what a dead run left');
    expect((await world.report({ resend: true })).mail.status).toBe('sent');
    const [first, second] = await world.readMails('report');
    expect(second?.attachments[0]?.content).toEqual(defined(first?.attachments[0]).content);
  });
});

it('a record under checked/ that cannot be written does not delay the mail, and the sealed day does not count as failed', async () => {
  world.refusePuts(/^checked\//);
  expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
  expect(world.keys('checked/')).toEqual([]);
});

it('two spellings of one scheduled time are one tick', async () => {
  await world.report({ scheduledTime: '2026-11-21T03:00:00Z' });
  const read = listRequests();
  await world.report({ scheduledTime: '2026-11-21T03:00:00.000Z' });
  expect(listRequests()).toBe(read);
});
