import { addressHash, ledgerKey } from '#records/storage/keys.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { BUCKET, CODE, DAY, type DaybookWorld, useWorld } from '#support/world/daybook-world.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { watch, sweep } from '#support/watch/running-watch.ts';
import { mailEventsOf, sesEvent } from '#support/mail-events/running-mail-events.ts';
import { membersOf } from '#support/assertions/index.ts';

const KEY = ledgerKey(DAY, CODE, 1);
const FIRST = 'first@merchants.example';
const SECOND = 'second@merchants.example';
const HOUR = 60 * 60 * 1_000;

const world = useWorld();
beforeEach(() => world.putRegistry({ [CODE]: { recipients: [FIRST, SECOND] } }));

/** A report whose run dies at the call to S3 or SES that this fault matches. */
async function dieAt(fault: Parameters<DaybookWorld['aws']['faults']['add']>[0], event = {}): Promise<void> {
  world.aws.faults.add({ times: Infinity, ...fault });
  await expect(world.report(event)).rejects.toThrow();
  world.aws.faults.clear();
}

/** A report whose run dies after the first recipient was mailed and before that could be recorded. */
async function dieBetween(): Promise<void> {
  const dead = { kind: 'reset', when: 'before' } as const;
  const after = () => world.awsDoes(dead, { service: 's3', operation: 'PutObject', times: Infinity });
  await dieAt({ service: 'ses', operation: 'SendRawEmail', times: 1, action: { kind: 'call', after } });
}

/** A report whose run dies when the ledger says that SES accepted the first mail, and nothing about the second recipient. */
function dieAfterTheFirst(event = {}): Promise<void> {
  const action = { kind: 'reset', when: 'before' } as const;
  return dieAt({ service: 's3', operation: 'PutObject', key: /^mail\/day=/, skip: 2, action }, event);
}

function statuses({ recipients }: Ledger): Record<string, string> {
  return Object.fromEntries(recipients.map(({ to, status }) => [to, status]));
}

describe('the ledger of a dead run', () => {
  it('is closed when it is old: begun mails are held, others are sent by the next run, and ops are notified once', async () => {
    await dieBetween();
    expect(world.mails('report')).toHaveLength(1);
    expect(await world.ledger(1)).toMatchObject({ status: 'intended' });

    world.clockAhead += HOUR / 2;
    expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
    expect(await world.ledger(1)).toMatchObject({ status: 'intended' });

    world.clockAhead += HOUR;
    expect(await sweep(world)).toEqual({ settled: 0, held: 1, removed: 0 });
    const closed = await world.ledger(1);
    expect(closed.status).toBe('held');
    expect(statuses(closed)).toEqual({ [addressHash(FIRST)]: 'held', [addressHash(SECOND)]: 'failed' });
    const told = world.mails('ops').length;
    expect(told).toBe(2);
    const subjects = (await world.readMails('ops')).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([
      `[Daybook] Merchant ${CODE}, ${DAY}: report held`,
      `[Daybook] Merchant ${CODE}, ${DAY}: report not sent to everybody`,
    ]);
    expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
    expect(world.mails('ops')).toHaveLength(told);

    await world.report();
    expect(world.mails('report').map(({ destinations }) => destinations)).toEqual([[FIRST], [SECOND]]);
    expect((await world.ledger(1)).status).toBe('held');
    // The late event confirms the mail to the first recipient.
    const [first] = world.mails('report');
    await mailEventsOf(world)(await sesEvent('delivered', first));
    expect(statuses(await world.ledger(1))[addressHash(FIRST)]).toBe('delivered');
  });

  it.each([
    [25, 1],
    [27, 0],
  ])('is looked at for 25 hours: after %i hours %i is held', async (hours, held) => {
    await dieBetween();
    world.clockAhead += hours * HOUR;
    expect(await sweep(world)).toMatchObject({ held });
  });

  it('without any begun mail is not held, and the next run sends all mails', async () => {
    await dieAt({ service: 'ses', action: knownErrors.ses.notVerified });
    // The ledger of a run that dies right after it has created the ledger.
    const begun = { ...(await world.ledger(1)), status: 'intended', recipients: [] };
    await world.aws.s3.write(BUCKET, KEY, JSON.stringify(begun));
    world.aws.mail.messages.length = 0;
    world.clockAhead += 2 * HOUR;
    expect(await sweep(world)).toEqual({ settled: 1, held: 0, removed: 0 });
    expect(Object.values(statuses(await world.ledger(1)))).toEqual(['failed', 'failed']);
    expect(world.mails('ops')).toHaveLength(1);
    await world.report();
    expect(world.mails('report')).toHaveLength(2);
    expect((await world.ledger(1)).status).toBe('accepted');
    expect((await watch(world)).missing).toEqual([]);
  });

  it('can be continued as its notice says, whatever the service has changed since then', async () => {
    world.payments.data.seedDay(CODE, DAY, { invoices: 1, refunds: 0 });
    const scheduledTime = '2026-11-21T03:00:00Z';
    await dieAfterTheFirst({ scheduledTime });
    world.clockAhead += 2 * HOUR;
    await sweep(world);
    const [notice] = world.mails('ops').map(({ raw }) => raw.toString().replaceAll('=\r\n', ''));
    expect(notice).toContain('--resend --failed --local');
    const [file] = (await world.manifest(1)).files;
    const { id } = membersOf(JSON.parse(await world.text(file?.key ?? '')));
    world.payments.data.updateInvoice(CODE, Number(id), { visited_count: 77 });
    await world.report({ resend: 'failed' });
    expect(world.mails('report').map(({ destinations }) => destinations)).toEqual([[FIRST], [SECOND]]);
  });

  it('is held if the recipients cannot be known, and no event corrects that', async () => {
    await dieBetween();
    await world.aws.s3.write(BUCKET, 'config/merchants.json', 'no registry');
    world.clockAhead += 2 * HOUR;
    expect(await sweep(world)).toMatchObject({ held: 1 });
    expect(statuses(await world.ledger(1))).toEqual({ [addressHash(FIRST)]: 'held' });
  });

  it('with a first mail that was accepted is also held if the other recipients cannot be known', async () => {
    await dieAfterTheFirst();
    await world.aws.s3.write(BUCKET, 'config/merchants.json', 'no registry');
    world.clockAhead += 2 * HOUR;
    expect(await sweep(world)).toMatchObject({ held: 1 });
    expect(await world.ledger(1)).toMatchObject({ status: 'held', recipients: [{ status: 'accepted' }] });
    expect(world.mails('ops')).toHaveLength(1);
  });

  it('waits for the registry if S3 does not return it at the moment', async () => {
    await dieAfterTheFirst();
    world.clockAhead += 2 * HOUR;
    const read = { operation: 'GetObject', key: /^config\/merchants/, times: Infinity };
    world.awsDoes(knownErrors.s3.accessDenied, read);
    await expect(sweep(world)).rejects.toMatchObject({ name: 'StorageError' });
    world.aws.faults.clear();
    expect(await sweep(world)).toMatchObject({ settled: 1 });
    expect(statuses(await world.ledger(1))).toEqual({
      [addressHash(FIRST)]: 'accepted',
      [addressHash(SECOND)]: 'failed',
    });
  });

  it('is left to its writer while that run is alive, and to a writer that came meanwhile', async () => {
    await dieBetween();
    const ledger = await world.ledger(1);
    world.clockAhead += 2 * HOUR;
    const until = new Date(world.clock.now() + 30_000).toISOString();
    await world.aws.s3.write(BUCKET, KEY, JSON.stringify({ ...ledger, until }));
    expect(await sweep(world)).toEqual({ settled: 0, held: 0, removed: 0 });
    expect((await world.ledger(1)).status).toBe('intended');
  });

  it('is closed once by two sweeps at once, and ops are notified of each mail', async () => {
    await dieBetween();
    world.clockAhead += 2 * HOUR;
    const answers = await Promise.all([sweep(world), sweep(world)]);
    // Both may write the same ledger at the same moment. Then each takes the one that stands for its own.
    expect(answers.map(({ held }) => held)).toContain(1);
    expect((await world.ledger(1)).recipients.map(({ status }) => status)).toContain('held');
    // One is held, and one was not sent to the second recipient.
    expect(world.mails('ops')).toHaveLength(2);
  });
});
