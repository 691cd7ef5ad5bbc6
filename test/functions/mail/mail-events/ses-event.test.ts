import { readSesEvent } from '#mail/mail-events/ses-event.ts';
import { addressHash } from '#records/storage/keys.ts';
import { sesEvent, type RawEvent, type Sample } from '#support/mail-events/running-mail-events.ts';
import { defined, matcher } from '#support/assertions/index.ts';

const MESSAGE = '0100019a9f3c41d2-5b0c1f9e-7a34-4c55-9b1e-2f6d8c7a9e10-000000';
/** The sender of the sample events. */
const SENDER = addressHash('daybook@example.com');

describe('a sample event', () => {
  it.each<[Sample, string, string, string | null]>([
    ['sent', 'sent', '2026-11-21T03:00:08.120Z', null],
    ['delivered', 'delivered', '2026-11-21T03:00:10.400Z', null],
    ['delayed', 'delayed', '2026-11-21T03:05:00.000Z', null],
    ['bounced-permanent', 'hard bounce', '2026-11-21T03:00:12.700Z', 'Permanent: NoEmail'],
    ['bounced-transient', 'soft bounce', '2026-11-21T03:00:11.300Z', 'Transient: MailboxFull'],
    ['complained', 'complaint', '2026-11-21T05:30:00.000Z', 'abuse'],
    ['rejected', 'rejected', '2026-11-21T03:00:09.000Z', null],
    ['rendering-failed', 'rejected', '2026-11-21T03:00:09.000Z', 'it could not be rendered'],
  ])('%s is read as %s', async (sample, is, at, detail) => {
    expect(readSesEvent(await sesEvent(sample), SENDER)).toMatchObject({
      mail: {
        kind: 'report',
        merchantCode: '700001',
        ledgerKey: 'mail/day=2026-11-20/merchant=700001/r0001.json',
      },
      event: { is, at, detail, messageId: MESSAGE, recipient: '0'.repeat(64) },
    });
  });

  it.each([
    ['keeps only words of SES', 'bounceSubType', 'someone@example.com', { detail: 'Permanent' }],
    [
      'is read as a soft bounce, when it is undetermined',
      'bounceType',
      'Undetermined',
      { is: 'soft bounce' },
    ],
  ])('of a bounce %s', async (_, member, value, read) => {
    const event = await sesEvent('bounced-permanent');
    defined(event.detail.bounce)[member] = value;
    expect(readSesEvent(event, SENDER)).toMatchObject({ event: read });
  });
});

const tags = (event: RawEvent) => event.detail.mail.tags;

describe('the tags of a mail about a period', () => {
  const merchant = ['700001'];
  const group = ['owners'];
  it.each([
    ['statement', { merchant }, '2026-11', 'mail/period=2026-11/merchant=700001/r0002.json'],
    ['statement', { merchant }, '2026-W47', 'mail/period=2026-W47/merchant=700001/r0002.json'],
    ['correction', { merchant }, '2026-11', 'mail/period=2026-11/merchant=700001/r0002.json'],
    ['group', { group }, '2026-11-20', 'mail/period=2026-11-20/group=owners/r0002.json'],
    ['preview', { merchant }, '2026-11', undefined],
    ['preview', { group }, '2026-W47', undefined],
  ])('lead to its ledger: %s %j %s', async (kind, owner, period, ledgerKey) => {
    const event = await sesEvent('delivered');
    const recipient = defined(tags(event)['recipient']);
    event.detail.mail.tags = { kind: [kind], recipient, ...owner, period: [period], revision: ['2'] };
    const name = 'group' in owner ? { group: 'owners' } : { merchantCode: '700001' };
    const read = readSesEvent(event, SENDER);
    expect(read).toMatchObject({ mail: { kind, period, ...name, ledgerKey } });
    expect(read).not.toHaveProperty('mail.day');
  });

  it.each<[string, Record<string, string[]>]>([
    ['detail.mail.tags.period', { kind: ['statement'], merchant, revision: ['1'] }],
    [
      'detail.mail.tags.period[0]',
      { kind: ['statement'], merchant, revision: ['1'], period: ['../../config'] },
    ],
    ['detail.mail.tags.period[0]', { kind: ['statement'], merchant, revision: ['1'], period: ['2026-W54'] }],
    ['detail.mail.tags.revision', { kind: ['statement'], merchant, period: ['2026-11'] }],
    ['detail.mail.tags.group[0]', { kind: ['group'], group: ['a/b'], period: ['2026-11'], revision: ['1'] }],
    ['detail.mail.tags.group', { kind: ['group'], merchant, period: ['2026-11'], revision: ['1'] }],
    ['detail.mail.tags.merchant', { kind: ['statement'], group, period: ['2026-11'], revision: ['1'] }],
    ['detail.mail.tags.merchant', { kind: ['correction'], period: ['2026-11'], revision: ['1'] }],
  ])('are refused with an error that names the wrong one: %s in %j', async (member, given) => {
    const event = await sesEvent('delivered');
    event.detail.mail.tags = { ...given, recipient: defined(tags(event)['recipient']) };
    expect(() => readSesEvent(event, SENDER)).toThrow(`the event is not usable: ${member}: `);
  });
});

describe('a malformed event', () => {
  it.each<[string, (event: RawEvent) => void]>([
    ['source', (event) => (event.source = 'aws.s3')],
    ['time', (event) => (event.time = 'someone@example.com')],
    ['detail.eventType', (event) => (event.detail.eventType = 'someone@example.com')],
    ['detail.mail', (event) => Object.assign(event.detail, { mail: 'someone@example.com' })],
    ['detail.mail.messageId', (event) => (event.detail.mail.messageId = '<someone@example.com>')],
    ['detail.bounce', (event) => delete event.detail.bounce],
    ...['bounceType', 'timestamp'].map((name): [string, (event: RawEvent) => void] => [
      `detail.bounce.${name}`,
      (event) => (defined(event.detail.bounce)[name] = 'someone@example.com'),
    ]),
    ['detail.mail.tags.kind', (event) => Object.assign(tags(event), { kind: 'someone@example.com' })],
    ['detail.mail.tags.merchant[0]', (event) => (tags(event)['merchant'] = ['../config'])],
    ['detail.mail.tags.day[0]', (event) => (tags(event)['day'] = ['2026-02-30'])],
    ['detail.mail.tags.revision', (event) => delete tags(event)['revision']],
    ['detail.mail.tags.revision[0]', (event) => (tags(event)['revision'] = ['0'])],
    ['detail.mail.tags.recipient[0]', (event) => (tags(event)['recipient'] = ['someone@example.com'])],
    [
      'detail.mail.tags.check[0]',
      (event) => Object.assign(tags(event), { kind: ['alert'], check: ['../someone@example.com'] }),
    ],
  ])('is refused with an error that names the wrong member: %s', async (member, spoil) => {
    const event = await sesEvent('bounced-permanent');
    spoil(event);
    const message = matcher(expect.not.stringContaining('someone@example.com'));
    expect(() => readSesEvent(event, SENDER)).toThrow(
      expect.objectContaining({ name: 'InvalidEventError', member, message }),
    );
  });

  it.each([undefined, null, 'someone@example.com', 7, []])('is refused if it is %j', (event) => {
    expect(() => readSesEvent(event, SENDER)).toThrow('the event is not usable: (root)');
  });
});
