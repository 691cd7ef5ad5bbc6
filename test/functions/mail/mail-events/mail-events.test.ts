import { addressHash, alertLedgerKey, ledgerKey, pageLedgerKey } from '#records/storage/keys.ts';
import { ledgerSchema, type Ledger } from '#records/ledger/ledger.ts';
import { BUCKET, CODE, DAY, OPS_TOPIC, useWorld, refuseNotices } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import {
  happensTo,
  mailEventsOf,
  stopOf,
  sesEvent,
  type Sample,
} from '#support/mail-events/running-mail-events.ts';
import { defined, textWith } from '#support/assertions/index.ts';

const A = 'a@merchants.example';
const B = 'b@merchants.example';
const KEY = ledgerKey(DAY, CODE, 1);

const world = useWorld({ environment: OPS_TOPIC });
const mailEvents = (event: unknown) => mailEventsOf(world)(event);
beforeEach(async () => {
  await world.putRegistry({ [CODE]: { recipients: [A, B] } });
  world.payments.data.seedDay(CODE, DAY, { invoices: 5, refunds: 1 });
});

/** The mail that went to an address; the last one if there are several. */
const mailTo = (address: string) =>
  defined(world.mails().findLast(({ destinations }) => destinations.includes(address)));

const happens = (sample: Sample, address: string) => happensTo(world, address, sample);

/** The status and message of each address in the ledger of the first revision. */
async function entries(): Promise<Record<string, [string, string | null]>> {
  const { recipients, round } = await world.ledger(1);
  const present = recipients.filter((entry) => entry.round === round);
  return Object.fromEntries(
    [A, B].flatMap((address) => {
      const entry = present.find(({ to }) => to === addressHash(address));
      return entry === undefined ? [] : [[address, [entry.status, entry.messageId]]];
    }),
  );
}

/** Writes the ledger of the first revision, changed. @param key in the place of its own */
async function rewrite(change: (ledger: Ledger) => Ledger, key = KEY): Promise<void> {
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...change(await world.ledger(1)), key }));
}

/** The status of A in each of these ledgers. */
async function statusesIn(...keys: string[]): Promise<(string | undefined)[]> {
  const texts = await Promise.all(keys.map((key) => world.text(key)));
  return texts.map((text) => ledgerSchema.parse(JSON.parse(text)).recipients[0]?.status);
}

/** The ledger of a run that died right after SES accepted its mail to A. */
function leftByADeadRun(until: string): Promise<void> {
  return rewrite(({ recipients: [entry], ...ledger }) => {
    const recipients = [{ ...defined(entry), status: 'intended' as const, messageId: null }];
    return { ...ledger, status: 'intended', until, writer: 'a run that died', recipients };
  });
}

describe('an event', () => {
  it('finds the ledger of an alert by its check', async () => {
    await world.report();
    const key = alertLedgerKey(CODE, '20261121T030000Z-9f2c61aa');
    await rewrite((ledger) => ({ ...ledger, kind: 'alert', figures: null }), key);
    const { messageId, tags } = mailTo(A);
    const { recipient = '' } = tags;
    const own = { kind: 'alert', merchant: CODE, check: '20261121T030000Z-9f2c61aa', recipient };
    await mailEvents(await sesEvent('delivered', { messageId, destinations: [A], tags: own }));
    expect(await statusesIn(key, KEY)).toEqual(['delivered', 'accepted']);
  });

  it.each([
    ['statement', 'a statement', { merchantCode: CODE }, { merchant: CODE }],
    ['group', 'a group’s page', { group: 'owners' }, { group: 'owners' }],
    ['correction', 'a corrected statement', { merchantCode: CODE }, { merchant: CODE }],
  ] as const)('finds the ledger of %s by its period: %s', async (kind, _what, owner, tags) => {
    await world.report();
    const key = pageLedgerKey({ owner, period: '2026-11', revision: 2 });
    await rewrite((ledger) => ({ ...ledger, kind, figures: null }), key);
    const markers = world.keys('changes/').length;
    const { messageId, tags: of } = mailTo(A);
    const own = { kind, ...tags, period: '2026-11', revision: '2', recipient: of['recipient'] ?? '' };
    await mailEvents(await sesEvent('bounced-permanent', { messageId, destinations: [A], tags: own }));
    expect(await statusesIn(key, KEY)).toEqual(['bounced', 'accepted']);
    // The history of the lake has no statements.
    expect(world.keys('changes/')).toHaveLength(markers);
    const [notice] = world.aws.notices.messages;
    const named = 'group' in owner ? 'Group owners' : `Merchant ${CODE}`;
    expect(notice?.subject).toBe(`[Daybook] ${named}, 2026-11: mail to an address is stopped`);
    expect(notice?.message).toContain(`Mail: ${kind}, period 2026-11, message `);
    expect(notice?.message).toContain(key);
  });

  it('that rejects the mail ends in an entry that no run sends again by itself', async () => {
    await world.report();
    await happens('rejected', A);
    const reason = 'rejected by the mail service after it was accepted';
    expect((await world.ledger(1)).recipients[0]).toMatchObject({ status: 'bounced', reason });
    expect(await stopOf(world, addressHash(A))).toBeUndefined();
    expect((await world.report()).mail.status).toBe('already-sent');
  });
});

describe('a mail of which it is not known whether it was sent', () => {
  it('gets its outcome from an event if a crash left it intended, and the next run mails only the others', async () => {
    await world.report();
    const { messageId } = mailTo(A);
    await leftByADeadRun('2026-11-21T00:00:00.000Z');
    await happens('delivered', A);
    expect(await entries()).toEqual({ [A]: ['delivered', messageId] });
    expect((await world.ledger(1)).status).toBe('intended');
    world.clock.setTo('2026-11-21T01:00:00Z');
    expect((await world.report()).mail.status).toBe('sent');
    expect((await entries())[A]).toEqual(['delivered', messageId]);
    expect(world.mails('report').map(({ destinations }) => destinations[0])).toEqual([A, B, B]);
    expect(world.mails('ops')).toEqual([]);
  });

  it('is no longer held once it was delivered', async () => {
    world.aws.faults.add({ service: 'ses', key: new RegExp(A), action: { kind: 'reset', when: 'after' } });
    expect((await world.report()).mail.status).toBe('held');
    await happens('sent', A);
    expect(await entries()).toMatchObject({ [A]: ['accepted', mailTo(A).messageId] });
    await happens('delivered', A);
    const { status, recipients } = await world.ledger(1);
    expect([status, recipients[0]?.status, recipients[0]?.reason]).toEqual(['accepted', 'delivered', null]);
    expect((await world.report()).mail.status).toBe('already-sent');
  });
});

it('an event during the work of a writer ends with a named error if another change comes first every time, and has changed nothing', async () => {
  await world.report();
  const after = () => rewrite((ledger) => ({ ...ledger, until: new Date(world.clock.now()).toISOString() }));
  world.awsDoes({ kind: 'call', after }, { operation: 'GetObject', key: new RegExp(KEY), times: Infinity });
  const contested = { name: 'LedgerContestedError', message: textWith('each of 10 attempts') };
  await expect(happens('delivered', A)).rejects.toMatchObject(contested);
  world.aws.faults.clear();
  expect(await entries()).toMatchObject({ [A]: ['accepted', expect.anything()] });
  await happens('delivered', A);
  expect(await entries()).toMatchObject({ [A]: ['delivered', expect.anything()] });
});

describe('a hard bounce or a complaint', () => {
  it.each([
    ['bounced-permanent', 'bounced', 'hard bounce (Permanent: NoEmail)', '2026-11-21T03:00:12.700Z'],
    ['complained', 'complained', 'complaint (abuse)', '2026-11-21T05:30:00.000Z'],
  ] as const)('stops the address: %s', async (sample, status, reason, at) => {
    await world.report();
    await happens(sample, A);
    const { messageId } = mailTo(A);
    expect(await stopOf(world, addressHash(A))).toEqual({ reason, at, messageId });
    expect(await entries()).toMatchObject({ [A]: [status, messageId], [B]: ['accepted', expect.anything()] });

    world.payments.data.seedDay(CODE, '2026-11-19', { invoices: 3, refunds: 0 });
    expect((await world.report({ day: '2026-11-19' })).mail.status).toBe('sent');
    const next = ledgerSchema.parse(JSON.parse(await world.text(ledgerKey('2026-11-19', CODE, 1))));
    expect(next.recipients.map((entry) => [entry.status, entry.reason])).toEqual([
      ['skipped', `mail to this address is stopped: ${reason}`],
      ['accepted', null],
    ]);
    expect(world.mails('report').filter(({ destinations }) => destinations[0] === A)).toHaveLength(1);
  });

  it('is reported to ops once, by mail and on the topic, without the address', async () => {
    await world.report();
    const bounced = mailTo(A);
    for (let time = 0; time < 3; time += 1) await mailEvents(await sesEvent('bounced-permanent', bounced));
    await mailEvents(await sesEvent('complained', bounced));
    expect(world.mails('ops')).toHaveLength(1);
    expect(world.aws.notices.messages).toHaveLength(1);
    const { subject = '', message = '' } = world.aws.notices.messages[0] ?? {};
    const reason = 'hard bounce (Permanent: NoEmail)';
    for (const text of [addressHash(A), `merchant ${CODE}`, `day ${DAY}`, reason])
      expect(message).toContain(text);
    for (const text of [subject, message, defined(world.mails('ops')[0]).raw.toString()])
      expect(text).not.toContain(A);
    expect(await stopOf(world, addressHash(A))).toMatchObject({ reason });
  });

  it('whose notice could not be sent is reported when it comes again', async () => {
    await world.report();
    refuseNotices(world);
    await expect(happens('bounced-permanent', A)).rejects.toMatchObject({ name: 'OpsNotToldError' });
    expect(await stopOf(world, addressHash(A))).toBeDefined();
    world.aws.faults.clear();
    for (let time = 0; time < 2; time += 1) await happens('bounced-permanent', A);
    expect(await entries()).toMatchObject({ [A]: ['bounced', expect.anything()] });
    expect([world.mails('ops').length, world.aws.notices.messages.length]).toEqual([1, 1]);
  });

  it('that comes once more does not restore a stop that was lifted; a complaint and a new event do', async () => {
    await world.report();
    await happens('bounced-permanent', A);
    const lift = () => world.aws.s3.remove(BUCKET, `mail-stops/${addressHash(A)}.json`);
    await lift();
    await happens('bounced-permanent', A);
    expect(await stopOf(world, addressHash(A))).toBeUndefined();
    await happens('complained', A);
    expect(await stopOf(world, addressHash(A))).toMatchObject({ reason: 'complaint (abuse)' });
    await lift();
    await world.report({ resend: true });
    await happens('bounced-permanent', A);
    expect(await stopOf(world, addressHash(A))).toMatchObject({ messageId: mailTo(A).messageId });
    const told = world.aws.notices.messages;
    expect(told).toHaveLength(3);
    expect(told[1]?.message).toContain('complaint (abuse)');
  });

  it('stops nothing if it is a soft bounce, or says that the mail is not spam', async () => {
    await world.report();
    await happens('bounced-transient', A);
    expect(await entries()).toMatchObject({ [A]: ['bounced', expect.anything()] });
    const praise = await sesEvent('complained', mailTo(B));
    defined(praise.detail.complaint)['complaintFeedbackType'] = 'not-spam';
    await mailEvents(praise);
    expect(await entries()).toMatchObject({ [B]: ['accepted', expect.anything()] });
    expect(world.keys('mail-stops/')).toEqual([]);
    expect(world.aws.notices.messages).toEqual([]);
  });
});

it.each([
  ['opened', 'a mail that was opened', {}],
  ['delivered', 'a mail of another application', { kind: 'newsletter' }],
] as const)(
  'an event that is not about a mail of Daybook is logged and left alone: %s, %s',
  async (sample, _what, tags) => {
    await world.report();
    const before = world.keys();
    const requests = world.aws.requests.length;
    const sent = mailTo(A);
    await mailEvents(await sesEvent(sample, { ...sent, tags: { ...sent.tags, ...tags } }));
    expect(world.keys()).toEqual(before);
    expect(world.aws.requests.length).toBe(requests);
  },
);

it('logs have a line and a metric of each event', async () => {
  await world.report();
  const output = captureOutput();
  const samples: Sample[] = [
    ...(['sent', 'delayed', 'delivered', 'bounced-transient', 'bounced-permanent', 'rejected'] as const),
    ...(['rendering-failed', 'complained', 'opened'] as const),
  ];
  for (const sample of samples) await happens(sample, A);
  await world.aws.s3.remove(BUCKET, KEY);
  await happens('bounced-permanent', A);
  expect(output.lines().filter(({ level }) => level !== undefined)).toHaveLength(samples.length + 1);
  const counted = output.lines().flatMap((line) => Object.keys(line));
  const metrics = ['MailsDelayed', 'MailsDelivered', 'MailsBounced', 'MailsComplained', 'AddressesStopped'];
  expect(counted).toEqual(expect.arrayContaining(metrics));
  expect(counted).not.toContain('MailsSettled');
});
