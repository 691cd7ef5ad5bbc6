import { describe, expect, it } from 'vitest';
import { readSesEvent } from '#functions/mail-events/ses-event.ts';
import { addressHash } from '#domain/storage/keys.ts';
import { sesEvent } from '#support/mail-events/ses-events.ts';
import type { RawEvent, Sample } from '#support/mail-events/ses-events.ts';
import { defined } from '#support/assertions/defined.ts';

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

  it('keeps only words of SES from a bounce', async () => {
    const event = await sesEvent('bounced-permanent');
    defined(event.detail.bounce)['bounceSubType'] = 'someone@example.com';
    expect(readSesEvent(event, SENDER)).toMatchObject({ event: { detail: 'Permanent' } });
  });

  it('of an undetermined bounce is read as a soft bounce', async () => {
    const event = await sesEvent('bounced-permanent');
    defined(event.detail.bounce)['bounceType'] = 'Undetermined';
    expect(readSesEvent(event, SENDER)).toMatchObject({ event: { is: 'soft bounce' } });
  });
});

describe('a malformed event', () => {
  const tags = (event: RawEvent) => event.detail.mail.tags;
  it.each<[string, (event: RawEvent) => void]>([
    ['source', (event) => (event.source = 'aws.s3')],
    ['time', (event) => (event.time = 'someone@example.com')],
    ['detail.eventType', (event) => (event.detail.eventType = 'someone@example.com')],
    ['detail.mail', (event) => Object.assign(event.detail, { mail: 'someone@example.com' })],
    ['detail.mail.messageId', (event) => (event.detail.mail.messageId = '<someone@example.com>')],
    ['detail.bounce', (event) => delete event.detail.bounce],
    [
      'detail.bounce.bounceType',
      (event) => (defined(event.detail.bounce)['bounceType'] = 'someone@example.com'),
    ],
    [
      'detail.bounce.timestamp',
      (event) => (defined(event.detail.bounce)['timestamp'] = 'someone@example.com'),
    ],
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
    let failure: unknown;
    try {
      readSesEvent(event, SENDER);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({ name: 'InvalidEventError', member });
    expect(String(failure)).not.toContain('someone@example.com');
  });

  it.each([undefined, null, 'someone@example.com', 7, []])('is refused if it is %j', (event) => {
    expect(() => readSesEvent(event, SENDER)).toThrow('the event is not usable: (root)');
  });
});
