import { addressHash, ledgerKey } from '#records/storage/keys.ts';
import { BUCKET, CODE, DAY, OPS_TOPIC, useWorld, refuseNotices } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { mailEventsOf, stopOf, sesEvent } from '#support/mail-events/running-mail-events.ts';
import type { RawEvent, Sample } from '#support/mail-events/running-mail-events.ts';
import { defined } from '#support/assertions/index.ts';
import { ledgerSchema } from '#records/ledger/ledger.ts';

const VICTIM = 'a@merchants.example';
const OTHER = 'b@merchants.example';
const STRANGER = 'mallory@elsewhere.example';
const KEY = ledgerKey(DAY, CODE, 1);

const world = useWorld({ environment: OPS_TOPIC });
const mailEvents = (event: unknown) => mailEventsOf(world)(event);
beforeEach(async () => {
  await world.putRegistry({ [CODE]: { recipients: [VICTIM, OTHER] } });
  world.payments.data.seedDay(CODE, DAY, { invoices: 2, refunds: 0 });
});

/** SES's event about the victim's report, with changes. */
async function eventOf(sample: Sample, change: (event: RawEvent) => void = () => {}): Promise<RawEvent> {
  const sent = world.mails('report').find(({ destinations }) => destinations.includes(VICTIM));
  const event = await sesEvent(sample, sent);
  change(event);
  return event;
}

const tagsOf = (event: RawEvent) => event.detail.mail.tags;
const to =
  (...destination: string[]) =>
  ({ detail }: RawEvent) =>
    void (detail.mail.destination = destination);
/** The last server's report names an address to which the mail was forwarded. */
const namesStranger = ({ detail }: RawEvent) =>
  void (defined(detail.bounce)['bouncedRecipients'] = [{ emailAddress: STRANGER }]);
const ofStranger = ({ detail }: RawEvent) => void (detail.mail.source = STRANGER);
const ofAnotherMessage = ({ detail }: RawEvent) => void (detail.mail.messageId = 'm-1');
const told = () => world.aws.notices.messages;

/** The ledger of a run that never learned the outcome of its mail to the victim. */
async function victimIs(status: 'intended' | 'held'): Promise<void> {
  const ledger = await world.ledger(1);
  const recipients = ledger.recipients.map((entry) =>
    entry.to === addressHash(VICTIM) ? { ...entry, status, messageId: null } : entry,
  );
  await world.aws.s3.write(BUCKET, KEY, JSON.stringify({ ...ledger, status, recipients }));
}

describe('an event that does not match', () => {
  it('is left alone if it is of another application whose mails have a tag with the same name', async () => {
    const event = await eventOf('bounced-permanent', ({ detail }) => {
      detail.mail.source = STRANGER;
      detail.mail.tags = { kind: ['report'] };
    });
    await mailEvents(event);
    expect(told()).toEqual([]);
  });

  it.each<[string, string, (event: RawEvent) => void]>([
    ['of another sender', 'EventsOfOtherSenders', ofStranger],
    [
      'without a sender',
      'EventsOfOtherSenders',
      ({ detail }) => Reflect.deleteProperty(detail.mail, 'source'),
    ],
    ['whose mail went to another address', 'EventsOfOtherRecipients', to(STRANGER)],
    ['whose mail also went to other addresses', 'EventsOfOtherRecipients', to(VICTIM, STRANGER)],
    ['whose mail has no address', 'EventsOfOtherRecipients', to()],
    ['of a message that is not in the ledger', 'EventsOfOtherMessages', ofAnotherMessage],
    [
      'with the message of another recipient',
      'EventsOfOtherMessages',
      (event) => {
        to(OTHER)(event);
        tagsOf(event)['recipient'] = [addressHash(OTHER)];
      },
    ],
    ['whose ledger does not exist', 'EventsWithoutLedger', (event) => (tagsOf(event)['revision'] = ['2'])],
    ['of a notice to ops', 'EventsOfKindsWithoutLedger', (event) => (tagsOf(event)['kind'] = ['ops'])],
    ['of a preview', 'EventsOfKindsWithoutLedger', (event) => (tagsOf(event)['kind'] = ['preview'])],
  ])(
    'stops mail to nobody, changes nothing, is counted, and causes one notice: %s',
    async (_what, metric, change) => {
      await world.report();
      const ledger = await world.text(KEY);
      const output = captureOutput();
      for (const sample of ['bounced-permanent', 'complained', 'bounced-permanent'] as const) {
        await mailEvents(await eventOf(sample, change));
      }
      expect(world.keys('mail-stops/')).toEqual([]);
      expect(await world.text(KEY)).toBe(ledger);
      expect(output.lines().filter((line) => line[metric] === 1)).toHaveLength(3);
      expect([told().length, world.mails('ops').length]).toEqual([1, 1]);
      const event = await eventOf('bounced-permanent', change);
      const [hash = ''] = tagsOf(event)['recipient'] ?? [];
      expect(told()[0]?.message).toContain(`npx daybook suppression add ${hash} --reason bounced`);
      for (const text of [output.text(), told()[0]?.message, world.mails('ops')[0]?.raw.toString()]) {
        for (const address of [VICTIM, OTHER, STRANGER]) expect(text).not.toContain(address);
      }
    },
  );

  it('causes another notice on the next day, and another doubt causes one on the same day', async () => {
    await world.report();
    const stranger = () => eventOf('complained', ofStranger);
    await mailEvents(await stranger());
    await mailEvents(await eventOf('complained', ofAnotherMessage));
    expect(told()).toHaveLength(2);
    world.clockAhead += 24 * 60 * 60 * 1_000;
    await mailEvents(await stranger());
    expect(told()).toHaveLength(3);
  });

  it('whose notice could not be sent causes the notice when it comes again a minute later', async () => {
    await world.report();
    refuseNotices(world);
    const forged = await eventOf('complained', ofStranger);
    await expect(mailEvents(forged)).rejects.toMatchObject({ name: 'OpsNotToldError' });
    world.aws.faults.clear();
    world.clockAhead += 60_000;
    await mailEvents(forged);
    expect(told()).toHaveLength(1);
  });

  it('causes no notice if a notice or a preview was only sent, delivered or delayed', async () => {
    await world.report();
    for (const kind of ['ops', 'preview']) {
      for (const sample of ['sent', 'delivered', 'delayed', 'bounced-transient'] as const) {
        await mailEvents(await eventOf(sample, (event) => (tagsOf(event)['kind'] = [kind])));
      }
    }
    expect(told()).toEqual([]);
  });

  it('about a bounced notice does not cause an endless chain of notices', async () => {
    const notice = {
      messageId: 'm-1',
      destinations: ['ops@example.com'],
      tags: { kind: 'ops', recipient: addressHash('ops@example.com') },
    };
    await mailEvents(await sesEvent('bounced-permanent', notice));
    for (const { messageId } of world.mails('ops')) {
      await mailEvents(await sesEvent('bounced-permanent', { ...notice, messageId }));
    }
    expect(world.mails('ops')).toHaveLength(1);
  });
});

describe('an event that matches', () => {
  it.each<[string, (event: RawEvent) => void]>([
    [
      'in whatever form it has its addresses',
      (event) => {
        event.detail.mail.source = '"Daybook, reports" <Daybook@Example.COM>';
        to('Owner of A <A@Merchants.Example>')(event);
      },
    ],
    [
      'by its message id, although the last server’s report names the address to which the mail was forwarded',
      namesStranger,
    ],
  ])('is accepted %s', async (_how, change) => {
    await world.report();
    await mailEvents(await eventOf('bounced-permanent', change));
    expect(await stopOf(world, addressHash(VICTIM))).toBeDefined();
    expect(told()[0]?.subject).toBe(`[Daybook] Merchant ${CODE}, ${DAY}: mail to an address is stopped`);
  });

  it('is accepted for an earlier round with an unknown outcome, after a person sent the mail again', async () => {
    await world.report();
    const first = await eventOf('bounced-permanent');
    await victimIs('held');
    await world.report({ resend: true });
    await mailEvents(first);
    expect(await stopOf(world, addressHash(VICTIM))).toBeDefined();
    const ofVictim = (await world.ledger(1)).recipients.filter(({ to }) => to === addressHash(VICTIM));
    expect(ofVictim.map(({ round, status }) => [round, status])).toEqual([
      [1, 'bounced'],
      [2, 'accepted'],
    ]);
  });

  it.each(['intended', 'held'] as const)(
    'is accepted if it is not known whether the mail was sent (%s), unless it names another recipient',
    async (status) => {
      await world.report();
      await victimIs(status);
      await mailEvents(await eventOf('bounced-permanent', namesStranger));
      expect(world.keys('mail-stops/')).toEqual([]);
      const event = await eventOf('bounced-permanent');
      await mailEvents(event);
      expect(await stopOf(world, addressHash(VICTIM))).toBeDefined();
      const ledger = ledgerSchema.parse(JSON.parse(await world.text(KEY)));
      expect(ledger.recipients.find(({ to }) => to === addressHash(VICTIM))).toMatchObject({
        status: 'bounced',
        messageId: event.detail.mail.messageId,
      });
    },
  );

  it('finds its entry however early it comes: right after SES accepted the mail', async () => {
    const after = async () => mailEvents(await eventOf('bounced-permanent'));
    world.awsDoes({ kind: 'call', after }, { service: 'ses', key: new RegExp(VICTIM) });
    await world.report();
    expect(await stopOf(world, addressHash(VICTIM))).toBeDefined();
    expect(told()).toHaveLength(1);
    expect((await world.ledger(1)).recipients[0]?.status).toBe('bounced');
  });
});
