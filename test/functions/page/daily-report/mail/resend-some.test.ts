import { addressHash, ledgerKey, suppressionKey } from '#records/storage/keys.ts';
import type { Ledger } from '#records/ledger/ledger.ts';
import { MOST_LEDGER_ENTRIES } from '#records/storage/object-bounds.ts';
import { readersOf } from '#support/crash/bucket.ts';
import { BUCKET, CODE, DAY, useWorld } from '#support/world/daybook-world.ts';
import { allWell, watch, sweep } from '#support/watch/running-watch.ts';
import { mailEventsOf, sesEvent } from '#support/mail-events/running-mail-events.ts';
import { defined } from '#support/assertions/index.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';
const C = 'c@merchants.example';
const ALL = [A, B, C];
const HOUR = 3_600_000;

const world = useWorld();
beforeEach(async () => {
  await world.putRegistry({ [CODE]: { recipients: ALL } });
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 1 });
});

/** The entries of each recipient with their rounds, oldest first. */
async function entries(): Promise<Record<string, string>> {
  const { recipients } = await world.ledger(1);
  const of = Map.groupBy(recipients, ({ to }) => to);
  const said = (address: string) =>
    of.get(addressHash(address))?.map(({ round, status }) => `${round} ${status}`) ?? [];
  return Object.fromEntries(ALL.map((address) => [address, said(address).join(', ')]));
}

const missing = async () => (await watch(world)).missing[0]?.reason;

/** The mail has come to everybody who is to get it. */
const expectWell = async () => expect(await watch(world)).toEqual(allWell(1));

const statusOf = async (event: Record<string, unknown>) => (await world.report(event)).mail.status;

/** SES refuses the first mail to one of the recipients. */
async function reportRefusing(address: string): Promise<void> {
  world.refuseMails(new RegExp(address));
  await expect(world.report()).rejects.toMatchObject({ name: 'MailRefusedError' });
}

function stop(address: string, reason = 'on holiday'): Promise<void> {
  return world.aws.s3.write(BUCKET, suppressionKey(addressHash(address)), JSON.stringify({ reason }));
}

/** Changes a row and no figure. */
function visit(): void {
  const { ids } = world.payments.data.truth(CODE, DAY).invoices;
  world.payments.data.updateInvoice(CODE, defined(ids[0]), { visited_count: 99 });
}

const lose = (address: string) =>
  world.awsDoes({ kind: 'reset', when: 'after' }, { service: 'ses', key: new RegExp(address) });

async function happens(sample: 'bounced-transient' | 'bounced-permanent' | 'complained', to: string) {
  const mail = world.mails('report').findLast(({ destinations }) => destinations.includes(to));
  await mailEventsOf(world)(await sesEvent(sample, defined(mail)));
}

/** Makes the ledger that of a run that died in its present round before it wrote to these. @param during perhaps sent */
async function diedBefore(addresses: readonly string[], during = ''): Promise<void> {
  const ledger = await world.ledger(1);
  const hashes = addresses.map(addressHash);
  const dead: Ledger = {
    ...ledger,
    status: 'intended',
    writer: 'a run that died',
    recipients: ledger.recipients
      .filter(({ to, round }) => round !== ledger.round || !hashes.includes(to))
      .map((entry) =>
        entry.to === addressHash(during) ? { ...entry, status: 'intended', messageId: null } : entry,
      ),
  };
  await world.aws.s3.write(BUCKET, ledgerKey(DAY, CODE, 1), JSON.stringify(dead));
  world.clockAhead += HOUR;
}

describe('"resend": "failed"', () => {
  it('sends to those whose mail was refused or came back, but not to stopped addresses or complainers', async () => {
    await reportRefusing(B);
    await happens('bounced-permanent', A);
    await happens('complained', C);
    expect(await statusOf({ resend: 'failed' })).toBe('sent');
    expect(await entries()).toEqual({ [A]: '1 bounced', [B]: '1 failed, 2 accepted', [C]: '1 complained' });
    expect((await world.report({ resend: 'failed' })).mail).toEqual({
      status: 'skipped',
      reason: 'nobody is left to send it to (have the mail: 1, stopped: 1, complained: 1)',
      messageIds: [],
    });
  });

  it('sends to those who were skipped because mail was stopped, and is not any more', async () => {
    await stop(A);
    await stop(B);
    await world.report();
    await world.aws.s3.remove(BUCKET, suppressionKey(addressHash(A)));
    await world.report({ resend: 'failed' });
    expect(await entries()).toEqual({ [A]: '1 skipped, 2 accepted', [B]: '1 skipped', [C]: '1 accepted' });
  });

  it('sends to an address that came into the registry in place of one that bounced', async () => {
    await world.putRegistry({ [CODE]: { recipients: [A, B] } });
    await world.report();
    await happens('bounced-permanent', B);
    await world.putRegistry({ [CODE]: { recipients: [A, C] } });
    await world.report({ resend: 'failed' });
    expect(readersOf(world, 1)).toEqual([A, B, C]);
    // B is not a recipient any more, so its bounce does not count any more.
    await expectWell();
  });

  it('does not wait for a recipient of an earlier revision with the same figures who has left', async () => {
    lose(A);
    await world.report();
    visit();
    await world.report();
    await world.putRegistry({ [CODE]: { recipients: [B, C, 'd@merchants.example'] } });
    expect(await missing()).toBe('mail held');
    await world.report({ resend: ['d@merchants.example'] });
    expect(readersOf(world, 2)).toEqual(['d@merchants.example']);
    await expectWell();
  });

  it('sends to everybody when no mail was begun, and to nobody when the mail was not to be sent', async () => {
    await world.report({ send: false });
    expect((await world.report({ resend: 'failed' })).mail).toMatchObject({
      status: 'skipped',
      reason: 'the mail was not to be sent to anybody',
    });
    await world.aws.s3.remove(BUCKET, ledgerKey(DAY, CODE, 1));
    expect(await statusOf({ resend: 'failed' })).toBe('sent');
    expect(readersOf(world, 1)).toEqual(ALL);
    await expectWell();
  });

  it('sends the newest revision to those who did not get an earlier one with the same figures', async () => {
    lose(A);
    lose(B);
    await world.report();
    visit();
    expect(await world.report()).toMatchObject({ revision: 2, mail: { status: 'skipped' } });
    await stop(B);
    await world.report({ resend: 'failed' });
    expect(readersOf(world, 2)).toEqual([A]);
    // The standing of the others is still that of the earlier mail.
    expect(await missing()).toBe('mail held');
    expect(await statusOf({ resend: 'failed' })).toBe('skipped');
    await world.aws.s3.remove(BUCKET, suppressionKey(addressHash(B)));
    await world.report({ resend: 'failed' });
    expect(readersOf(world, 2)).toEqual([A, B]);
    await expectWell();
  });

  it('does not send again in the same moment what a dead run may have sent', async () => {
    await world.report();
    await diedBefore([C], B);
    await world.report({ resend: 'failed' });
    expect(await entries()).toEqual({ [A]: '1 accepted', [B]: '1 held', [C]: '1 failed, 2 accepted' });
    await world.report({ resend: 'failed' });
    expect(await entries()).toMatchObject({ [B]: '1 held, 3 accepted' });
  });
});

describe('"resend" with a list of recipients', () => {
  it('sends to exactly those, and leaves the standing of the others as it was', async () => {
    lose(B);
    await world.report();
    expect(await statusOf({ resend: [C, C.toUpperCase()] })).toBe('sent');
    expect(await entries()).toEqual({ [A]: '1 accepted', [B]: '1 held', [C]: '1 accepted, 2 accepted' });
    expect((await world.ledger(1)).status).toBe('held');
    expect(await missing()).toBe('mail held');
    expect((await world.report()).mail.status).toBe('held');
    await stop(A);
    expect(await statusOf({ resend: [A] })).toBe('skipped');
    expect(await missing()).toBe('mail held');
  });

  it('keeps a refused recipient for the next run', async () => {
    await reportRefusing(B);
    expect(await statusOf({ resend: [C] })).toBe('sent');
    expect(await missing()).toBe('mail not sent');
    await world.report();
    expect(readersOf(world, 1)).toEqual([A, B, C, C]);
    await expectWell();
  });

  it('leaves the others to the next run when no mail was begun', async () => {
    await world.report();
    await world.aws.s3.remove(BUCKET, ledgerKey(DAY, CODE, 1));
    world.aws.mail.messages.length = 0;
    await world.report({ resend: [B] });
    expect(readersOf(world, 1)).toEqual([B]);
    expect(await missing()).toBe('mail not sent');
    await world.report();
    expect(readersOf(world, 1)).toEqual(ALL);
    await expectWell();
  });

  it.each([
    [[A, 'stranger@elsewhere.example'], 'resend[1]: is not a recipient of this merchant'],
    [[], 'resend: is out of bounds (at least 1)'],
    [['no address'], 'resend[0]: must be a valid email'],
    ['all', 'resend: must be true, false, "failed" or a list of 1 to 100 addresses'],
  ])('is refused when it is %j, without the address', async (resend, message) => {
    await world.report();
    const refused = { name: 'InvalidEventError', message: `the event is not usable: ${message}` };
    await expect(world.report({ resend })).rejects.toMatchObject(refused);
    expect(readersOf(world, 1)).toEqual(ALL);
  });
});

describe('a run that dies in a resend to some recipients', () => {
  it('is continued for those recipients only', async () => {
    await world.report();
    await world.report({ resend: [A, B] });
    await diedBefore([B]);
    await expectWell();
    await world.report();
    expect(readersOf(world, 1)).toEqual([A, A, B, B, B, C]);
    expect((await world.ledger(1)).round).toBe(2);
  });

  it('is closed by the sweep for those recipients only, also without a registry', async () => {
    lose(B);
    await world.report();
    await world.report({ resend: [A, C] });
    await diedBefore([C]);
    await world.aws.s3.write(BUCKET, 'config/merchants.json', 'no registry');
    world.clockAhead += 2 * HOUR;
    expect(await sweep(world)).toMatchObject({ settled: 0, held: 1 });
    const [both, failed] = ['1 accepted, 2 accepted', '1 accepted, 2 failed'];
    expect(await entries()).toEqual({ [A]: both, [B]: '1 held', [C]: failed });
    // Ops know of the held mail from the first run. The recipient that was not reached is news.
    const mails = await world.readMails('ops');
    for (const news of ['held', 'report not sent to'])
      expect(mails.filter(({ subject }) => subject.includes(news))).toHaveLength(1);
  });

  it('does not end the wait for others when a resend to everybody follows', async () => {
    await world.report();
    await world.report({ resend: [A, B] });
    await diedBefore([B]);
    await world.report({ resend: true });
    expect(await entries()).toEqual({
      [A]: '1 accepted, 2 accepted, 3 accepted',
      [B]: '1 accepted, 2 failed, 3 accepted',
      [C]: '1 accepted, 3 accepted',
    });
  });
});

it('a refused address no longer keeps the mail open when it is removed from the registry', async () => {
  await reportRefusing(B);
  await world.putRegistry({ [CODE]: { recipients: [A, C] } });
  await world.report();
  expect((await world.report()).mail.status).toBe('already-sent');
  expect(await entries()).toEqual({ [A]: '1 accepted', [B]: '1 skipped', [C]: '1 accepted' });
  expect(world.sendRequests()).toBe(3);
});

it('a resend mails nobody if the ledger has no room for another round; the largest round that fits is recorded', async () => {
  const recipients = Array.from({ length: 100 }, (_, place) => `r${place}@merchants.example`);
  await world.putRegistry({ [CODE]: { recipients } });
  for (const address of recipients.slice(3)) await stop(address, 'ö'.repeat(200));
  await world.report();
  const key = ledgerKey(DAY, CODE, 1);
  const fill = async (entries: number) => {
    const ledger = await world.ledger(1);
    const [entry] = ledger.recipients;
    // The longest detail that an event can have written.
    const reason = `complaint (${'a'.repeat(40)}: ${'b'.repeat(40)})`;
    const worst = { ...entry, status: 'complained', reason, messageId: 'm'.repeat(128), round: 1 };
    const full = Array.from({ length: entries }, () => worst);
    await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...ledger, round: 99, recipients: full }));
  };
  await fill(MOST_LEDGER_ENTRIES - 200);
  expect(await statusOf({ resend: true })).toBe('sent');
  expect(world.mails('report')).toHaveLength(6);
  await fill(MOST_LEDGER_ENTRIES - 199);
  const before = await world.text(key);
  await expect(world.report({ resend: true })).rejects.toMatchObject({ name: 'LedgerFullError' });
  expect(world.mails('report')).toHaveLength(6);
  expect(await world.text(key)).toBe(before);
});

/*
 * Rows of a day change more often than its figures. Every visit of an invoice makes a revision, but no mail. A recipient who
 * did not get the pending mail must still get it.
 */
describe('a refused recipient', () => {
  beforeEach(async () => {
    await world.putRegistry({ [CODE]: { recipients: [A, B] } });
    await reportRefusing(B);
    visit();
  });

  /** The revision and the reader of each mail, in the order in which they were sent. */
  const mailed = () =>
    world.mails().map(({ tags, destinations }) => `${tags['revision']} ${destinations.join()}`);

  it('gets the pending mail although there is a newer revision, and that one when a person sends it again', async () => {
    const { revision, mail } = await world.report();
    expect([revision, mail.status, mail.messageIds.length]).toEqual([2, 'sent', 2]);
    expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`]);
    expect(await entries()).toMatchObject({ [A]: '1 accepted', [B]: '1 accepted' });
    expect(await world.ledger(2)).toMatchObject({
      status: 'skipped',
      reason: 'no figure has changed since the last mail',
      recipients: [],
    });
    expect((await world.report()).mail.status).toBe('skipped');
    expect(mailed()).toHaveLength(2);
    await world.report({ resend: true });
    expect(mailed()).toEqual([`1 ${A}`, `1 ${B}`, `2 ${A}`, `2 ${B}`]);
  });

  it('gets nothing from a run that must mail nothing', async () => {
    expect(await statusOf({ send: false })).toBe('skipped');
    expect(mailed()).toEqual([`1 ${A}`]);
  });

  it('gets a correction like all other recipients when a figure has changed', async () => {
    world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
    await world.report();
    expect(mailed()).toEqual([`1 ${A}`, `2 ${A}`, `2 ${B}`]);
    expect((await world.ledger(1)).recipients).toMatchObject([
      { to: addressHash(A), status: 'accepted' },
      { to: addressHash(B), status: 'skipped', reason: 'revision 2 came before it was mailed' },
    ]);
  });
});
