import { checkedKey, addressHash, ledgerKey, suppressionKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, OPS_TOPIC, useWorld, refuseNotices } from '#support/world/daybook-world.ts';
import { happensTo, type Sample } from '#support/mail-events/running-mail-events.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { allWell, otherMissing, watch } from '#support/watch/running-watch.ts';
import { defined, membersOf, textWith } from '#support/assertions/index.ts';

const OTHER = '700002';
const OWNER = `owner-${OTHER}@merchants.example`;

const world = useWorld({ merchants: 2, environment: OPS_TOPIC });
/** The first merchant's report is fine, so every notice is about the other merchant. */
beforeEach(async () => {
  for (const code of [CODE, OTHER]) world.payments.data.seedDay(code, DAY, { invoices: 4, refunds: 1 });
  await world.report();
});

const otherReport = (event: Record<string, unknown> = {}) => world.report({ merchantCode: OTHER, ...event });

const loginIsRefused = () => {
  world.payments.behaviour.loginRefused = [OTHER];
  return expect(otherReport()).rejects.toMatchObject({ name: 'LoginRefusedError' });
};

async function stopOwner(): Promise<void> {
  const key = suppressionKey(addressHash(OWNER));
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ reason: 'asked us to' }));
}

const happens = (sample: Sample) => happensTo(world, OWNER, sample);

describe('when all is well', () => {
  it('is quiet, except for the heartbeat', async () => {
    await otherReport();
    const output = captureOutput();
    expect(await watch(world)).toEqual(allWell(2));
    expect(world.mails('ops')).toEqual([]);
    expect(world.aws.notices.messages).toEqual([]);
    expect(world.keys('mail/ops/')).toEqual([]);
    const counts = { ReportsExpected: 2, ReportsDelivered: 2, ReportsMissing: 0, ReportsUnbalanced: 0 };
    expect(output.lines()).toContainEqual(
      expect.objectContaining({ service: 'delivery-watch', ...counts, MailsHeld: 0, WatchRan: 1 }),
    );
  });

  it.each([
    ['delivered', () => otherReport().then(() => happens('delivered'))],
    ['not to be mailed', () => otherReport({ send: false })],
    [
      'sent again after it was skipped',
      () => otherReport({ send: false }).then(() => otherReport({ resend: true })),
    ],
    ['pulled again by a run that failed', () => otherReport().then(loginIsRefused)],
  ] as const)('counts a report that was %s', async (_what, run) => {
    await run();
    expect(await watch(world)).toEqual(allWell(2));
    expect(world.mails('ops')).toEqual([]);
  });

  it('counts an empty day that is not mailed', async () => {
    await world.putRegistry({ [OTHER]: { skipEmpty: true, recipients: [OWNER] } });
    world.payments.data.seedDay(OTHER, '2026-11-19', { invoices: 0, refunds: 0 });
    world.payments.data.seedDay(CODE, '2026-11-19', { invoices: 1, refunds: 0 });
    await world.report({ day: '2026-11-19' });
    expect((await otherReport({ day: '2026-11-19' })).mail).toMatchObject({ status: 'skipped' });
    expect(await watch(world, { day: '2026-11-19' })).toEqual(allWell(2));
  });

  it('counts a ledger that a crash left unfinished, when events have confirmed every recipient', async () => {
    await otherReport();
    const ledger = await world.ledger(1, OTHER);
    const recipients = ledger.recipients.map((entry) => ({ ...entry, status: 'intended', messageId: null }));
    const unfinished = { ...ledger, status: 'intended', until: '2026-11-21T03:01:00.000Z', recipients };
    await world.aws.s3.write(BUCKET, ledgerKey(DAY, OTHER, 1), JSON.stringify(unfinished));
    expect(await watch(world)).toMatchObject({ missing: [{ reason: 'mail held' }] });
    await happens('delivered');
    expect((await world.ledger(1, OTHER)).status).toBe('intended');
    expect(await watch(world)).toEqual(allWell(2));
    expect(await watch(world, { now: '2026-11-21T03:00:30.000Z', day: DAY })).toMatchObject({ missing: [] });
    await world.putRegistry({ [OTHER]: { recipients: [OWNER, 'second@merchants.example'] } });
    expect(await watch(world)).toEqual(otherMissing('mail not sent'));
  });
});

describe('a report that did not arrive', () => {
  it('causes a notice by mail and on the topic, once for the same set, and again when the set grows', async () => {
    const output = captureOutput();
    for (let time = 0; time < 3; time += 1) expect(await watch(world)).toEqual(otherMissing('no run'));
    expect(world.mails('ops')).toHaveLength(1);
    expect(world.aws.notices.messages).toHaveLength(1);
    const { subject, message } = defined(world.aws.notices.messages[0]);
    expect(subject).toBe(`[Daybook] Merchant ${OTHER}, ${DAY}: report did not arrive`);
    expect(message).toContain('1 of 2 reports that were due did not arrive: 1 × no run.');
    expect(message).toContain(`${OTHER}, day ${DAY}: no run`);
    expect(output.lines()).toContainEqual(
      expect.objectContaining({ ReportsMissing: 1, ReportsDelivered: 1, WatchRan: 1 }),
    );

    await loseFirst();
    expect((await watch(world)).missing).toHaveLength(2);
    expect(world.aws.notices.messages.map((notice) => notice.subject)).toEqual([
      `[Daybook] Merchant ${OTHER}, ${DAY}: report did not arrive`,
      `[Daybook] 2 merchants, ${DAY}: reports did not arrive`,
    ]);
  });

  const loseFirst = () => world.aws.s3.remove(BUCKET, ledgerKey(DAY, CODE, 1));

  it('makes the watch fail with a named error and without the heartbeat when no notice can be sent; the next run sends it', async () => {
    refuseNotices(world);
    const output = captureOutput();
    await expect(watch(world)).rejects.toMatchObject({ name: 'OpsNotToldError' });
    expect(output.lines()).toContainEqual(expect.objectContaining({ ReportsMissing: 1 }));
    expect(output.text()).not.toContain('WatchRan');
    world.aws.faults.clear();
    expect(await watch(world)).toEqual(otherMissing('no run'));
    expect(world.aws.notices.messages).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['its pull failed', loginIsRefused, 'pull failed: LoginRefusedError'],
    [
      'nothing ran, although a pull failed while the day was not over',
      () => {
        world.clock.setTo('2026-11-20T20:59:00Z');
        return loginIsRefused();
      },
      'no run',
    ],
    ['a person stopped its only address', () => stopOwner().then(() => otherReport()), 'mail stopped'],
    [
      'SES refused it',
      () => {
        world.refuseMails(/./);
        return expect(otherReport()).rejects.toMatchObject({ name: 'MailRefusedError' });
      },
      'mail not sent',
    ],
    [
      'the run died between seal and mail',
      () => otherReport().then(() => world.aws.s3.remove(BUCKET, ledgerKey(DAY, OTHER, 1))),
      'mail not sent',
    ],
  ])('because %s', async (_why, run, reason) => {
    await run();
    expect(await watch(world)).toEqual(otherMissing(reason));
  });

  it.each(['a'.repeat(60_000), 'Call +1 555 0100\nat once', ''])(
    'because its pull failed, whatever is recorded as the error’s name',
    async (error) => {
      await loginIsRefused();
      const key = checkedKey(DAY, OTHER);
      const check = membersOf(JSON.parse(await world.text(key)));
      await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...check, error }));
      expect(await watch(world)).toEqual(otherMissing('pull failed: UnknownError'));
    },
  );

  it('but not because of a comparison that the registry ignores', async () => {
    world.payments.behaviour.wrongStats = { paid: 1 };
    await world.putRegistry({ [OTHER]: { balance: { ignore: ['statsPaid', 'statsOther'] } } });
    expect(await otherReport()).toMatchObject({ balanced: true, mail: { status: 'sent' } });
    expect(await watch(world)).toMatchObject({ delivered: 2, missing: [], unbalanced: [] });
  });

  it('because its day is unbalanced, although it was mailed', async () => {
    world.payments.behaviour.wrongStats = { paid: 1 };
    expect(await otherReport()).toMatchObject({ balanced: false, mail: { status: 'sent' } });
    const unbalanced = [{ merchantCode: OTHER, day: DAY }];
    expect(await watch(world)).toEqual({ ...otherMissing('unbalanced'), unbalanced });
    // The report did arrive, and ops must not search for it.
    expect(world.aws.notices.messages[0]).toMatchObject({
      subject: `[Daybook] Merchant ${OTHER}, ${DAY}: report needs a look`,
      message: textWith('1 of 2 reports that were due needs a look: 1 × unbalanced.'),
    });
    await loseFirst();
    await watch(world);
    expect(world.aws.notices.messages[1]).toMatchObject({
      subject: `[Daybook] 2 merchants, ${DAY}: reports did not arrive or need a look`,
      message: textWith('2 of 2 reports that were due did not arrive or need a look:'),
    });
  });

  it('because its mail is held, also when a later revision changes no figure, until an event confirms that it arrived', async () => {
    world.awsDoes({ kind: 'reset', when: 'after' }, { service: 'ses', key: new RegExp(OWNER) });
    expect((await otherReport()).mail.status).toBe('held');
    const held = [{ merchantCode: OTHER, day: DAY }];
    expect(await watch(world)).toEqual({ ...otherMissing('mail held'), held });
    world.payments.behaviour.extraInvoiceFields = { visited: 2 };
    expect(await otherReport()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    expect(await watch(world)).toMatchObject({ delivered: 1, missing: [{ reason: 'mail held' }] });
    await happens('delivered');
    expect(await watch(world)).toEqual(allWell(2));
  });

  it.each([
    ['bounced-permanent', 'bounced'],
    ['complained', 'complained'],
  ] as const)(
    'because its mail came back: %s, and on the next day because the address is stopped',
    async (sample, reason) => {
      await otherReport();
      await happens(sample);
      expect(await watch(world)).toEqual(otherMissing(reason));
      for (const code of [CODE, OTHER]) {
        world.payments.data.seedDay(code, '2026-11-19', { invoices: 2, refunds: 0 });
        await world.report({ merchantCode: code, day: '2026-11-19' });
      }
      expect(await watch(world, { day: '2026-11-19' })).toEqual(otherMissing(reason, '2026-11-19'));
      // A complaint alone does not show whether this report arrived.
      const what = reason === 'bounced' ? 'did not arrive' : 'did not arrive or needs a look';
      const subject = `[Daybook] Merchant ${OTHER}, 2026-11-19: report ${what}`;
      expect(world.aws.notices.messages.at(-1)).toMatchObject({ subject });
    },
  );

  it('but not because one of its addresses is stopped', async () => {
    await world.putRegistry({ [OTHER]: { recipients: [OWNER, 'second@merchants.example'] } });
    await stopOwner();
    await otherReport();
    expect(await watch(world)).toEqual(allWell(2));
  });

  it('because the sealed content was pulled before the day was over', async () => {
    await otherReport();
    const key = checkedKey(DAY, OTHER);
    const early = { ...membersOf(JSON.parse(await world.text(key))), asOf: '2026-11-20T20:59:59.000Z' };
    await world.aws.s3.write(BUCKET, key, JSON.stringify(early));
    expect(await watch(world)).toEqual(otherMissing('no run'));
    const failed = { ...early, outcome: 'failed', error: 'ServiceUnavailableError' };
    await world.aws.s3.write(BUCKET, key, JSON.stringify(failed));
    expect(await watch(world)).toEqual(otherMissing('pull failed: ServiceUnavailableError'));
    // The record is of an earlier revision. The newest pull could not be recorded, but its manifest has the time.
    await world.aws.s3.write(BUCKET, key, JSON.stringify(early));
    world.payments.data.seedDay(OTHER, DAY, { invoices: 1, refunds: 0 });
    world.refusePuts(new RegExp(key));
    expect(await otherReport()).toMatchObject({ revision: 2 });
    expect(await watch(world)).toEqual(allWell(2));
    // A run that died before it could record its pull has left the time of the pull in the manifest.
    await world.aws.s3.remove(BUCKET, key);
    expect(await watch(world)).toEqual(allWell(2));
  });

  it.each([
    ['its check', `checked/day=${DAY}/merchant=${OTHER}.json`, 'asOf', []],
    ['its failed check', `checked/day=${DAY}/merchant=${OTHER}.json`, 'checkedAt', ['days/', 'mail/']],
    ['its manifest', `days/day=${DAY}/merchant=${OTHER}/r0001.json`, 'pulledAt', ['checked/']],
  ])(
    'because %s has a malformed time; the other merchants are still checked',
    async (_what, key, member, gone) => {
      await otherReport();
      const record = membersOf(JSON.parse(await world.text(key)));
      const failed = member === 'checkedAt' ? { outcome: 'failed', error: 'ServerError' } : {};
      await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...record, ...failed, [member]: 'soon' }));
      for (const prefix of gone) {
        const keys = world.keys(prefix).filter((one) => one.includes(OTHER));
        await Promise.all(keys.map((one) => world.aws.s3.remove(BUCKET, one)));
      }
      expect(await watch(world)).toEqual(otherMissing('records not readable'));
    },
  );
});

it('the watch reads two objects of each merchant, and lists whole days', async () => {
  await otherReport();
  world.aws.requests.length = 0;
  expect(await watch(world)).toEqual(allWell(2));
  const byOperation = Map.groupBy(world.aws.requests, ({ operation }) => operation);
  expect([...byOperation].map(([operation, { length }]) => [operation, length])).toEqual([
    // The registry and its last good copy, the check and the ledger of each merchant, and the day's record of notices.
    ['GetObject', 2 + 2 * 2 + 1],
    ['ListObjectsV2', 14 + 1],
  ]);
});

/** S3 answers like this whenever an object of this merchant is requested. */
function refuse(key: RegExp, status: number, code: string): void {
  const action = { kind: 'error', status, code } as const;
  world.awsDoes(action, { service: 's3', operation: 'GetObject', key, times: Infinity });
}

it.each([
  ['was moved to an archive', 403, 'InvalidObjectState'],
  ['is encrypted with a key that Daybook may not use', 403, 'AccessDenied'],
  ['is encrypted with a key that only the writer has', 400, 'InvalidRequest'],
])('an object of one merchant that %s hides no other merchant, and is named', async (_, status, code) => {
  await otherReport();
  refuse(/^mail\/day=.*merchant=700002/, status, code);
  const output = captureOutput();
  expect(await watch(world)).toEqual(otherMissing('records not readable'));
  expect(output.text()).toContain(`merchant=700002/r0001.json failed: ${code}`);
  expect(world.mails('ops')).toHaveLength(1);
});

it('when S3 itself fails, no merchant is blamed: the watch ends with an error, and the next run checks again', async () => {
  await otherReport();
  refuse(/^mail\/day=/, 500, 'InternalError');
  await expect(watch(world)).rejects.toMatchObject({ name: 'StorageError', code: 'InternalError' });
  expect(world.mails('ops')).toHaveLength(0);
});
