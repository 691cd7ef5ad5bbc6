import { beforeEach, describe, expect, it } from 'vitest';
import { CHANGES } from '#records/storage/keys.ts';
import type { FaultAction } from '#sandbox/aws/index.ts';
import { expectNoted } from '#support/crash/noted.ts';
import { mailEventsOf } from '#support/mail-events/running-mail-events.ts';
import { sesEvent } from '#support/mail-events/ses-events.ts';
import { CODE, DAY, useWorld } from '#support/world/daybook-world.ts';

/*
 * The history of the lake looks only at days that have a change marker. So a manifest or a ledger of a report without one
 * would be missed.
 */

const MANIFEST = `days/day=${DAY}/merchant=${CODE}/r0001.json`;
const LEDGER = `mail/day=${DAY}/merchant=${CODE}/r0001.json`;
const DAYS_MARKER = `changes/noted_on=2026-11-21/0610-days-${DAY}.json`;
const MAIL_MARKER = `changes/noted_on=2026-11-21/0610-mail-${DAY}.json`;
const TEN_MINUTES = 10 * 60_000;
const DENIED: FaultAction = { kind: 'error', status: 403, code: 'AccessDenied' };

const world = useWorld();
beforeEach(() => {
  world.clock.setTo('2026-11-21T06:11:00Z');
  world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 2 });
});

/** The keys of the successful puts that begin like that, in their order. */
function puts(prefix = ''): string[] {
  return world.aws.requests.flatMap(({ operation, status, key = '' }) =>
    operation === 'PutObject' && status === 200 && key.startsWith(prefix) ? [key] : [],
  );
}

function failMarker(what: 'days' | 'mail', action: FaultAction, times = 1): void {
  const key = new RegExp(`^changes/.*-${what}-`);
  world.awsDoes(action, { service: 's3', operation: 'PutObject', key, times });
}

function changeDay(): void {
  world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });
}

describe('a report', () => {
  it('notes the day before it seals, and the mail before the ledger', async () => {
    await world.report();
    const order = [DAYS_MARKER, MANIFEST, MAIL_MARKER, LEDGER].map((key) => puts().indexOf(key));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(puts(CHANGES)).toEqual([DAYS_MARKER, MAIL_MARKER]);
    expect(JSON.parse(await world.text(DAYS_MARKER))).toEqual({
      day: DAY,
      what: 'days',
      notedAt: '2026-11-21T06:10:00.000Z',
    });
    expect(JSON.parse(await world.text(MAIL_MARKER))).toMatchObject({ day: DAY, what: 'mail' });
    await expectNoted(world);
  });

  it('notes nothing when nothing changes: a day without news, a dry run', async () => {
    await world.report();
    world.aws.requests.length = 0;
    expect(await world.report()).toMatchObject({ unchanged: true });
    await world.report({ dryRun: true });
    expect(puts(CHANGES)).toEqual([]);
  });

  it('notes the mail of a day that is only sent again', async () => {
    await world.report();
    world.clock.ahead += TEN_MINUTES;
    world.aws.requests.length = 0;
    await world.report({ resend: true });
    expect(puts(CHANGES)).toEqual([`changes/noted_on=2026-11-21/0620-mail-${DAY}.json`]);
    await expectNoted(world);
  });

  it('uploads its files and notes the day at the same time', async () => {
    let uploads = 0;
    failMarker('days', {
      kind: 'call',
      before: async () => {
        await expect.poll(() => (uploads = puts('invoices/').length), { timeout: 5_000 }).toBe(2);
      },
    });
    await world.report();
    expect(uploads).toBe(2);
  });
});

describe('a process', () => {
  it('writes each marker once in ten minutes, and again in the next ten', async () => {
    const report = world.coldStart();
    const event = { merchantCode: CODE, day: DAY };
    await report(event);
    changeDay();
    await report(event);
    expect(puts('days/')).toHaveLength(2);
    expect(puts(CHANGES)).toEqual([DAYS_MARKER, MAIL_MARKER]);
    world.clock.ahead += TEN_MINUTES;
    changeDay();
    await report(event);
    expect(puts(CHANGES).slice(2)).toEqual([
      `changes/noted_on=2026-11-21/0620-days-${DAY}.json`,
      `changes/noted_on=2026-11-21/0620-mail-${DAY}.json`,
    ]);
    await expectNoted(world);
  });

  it('does not rely on the markers of another process', async () => {
    await world.report();
    changeDay();
    await world.report();
    expect(puts(CHANGES)).toEqual([DAYS_MARKER, MAIL_MARKER, DAYS_MARKER, MAIL_MARKER]);
  });

  it('does not remember a marker that was not written', async () => {
    const report = world.coldStart();
    failMarker('days', DENIED, Infinity);
    await expect(report({ merchantCode: CODE, day: DAY })).rejects.toMatchObject({ name: 'StorageError' });
    world.aws.faults.clear();
    expect(await report({ merchantCode: CODE, day: DAY })).toMatchObject({ revision: 1 });
    expect(puts(CHANGES)).toEqual([DAYS_MARKER, MAIL_MARKER]);
  });
});

describe('a marker that S3 does not take', () => {
  it('keeps the day from being sealed, and the next run seals it', async () => {
    failMarker('days', DENIED, Infinity);
    await expect(world.report()).rejects.toMatchObject({
      name: 'StorageError',
      message: `S3 PutObject of ${DAYS_MARKER} failed: AccessDenied (HTTP 403)`,
    });
    expect(puts('days/')).toEqual([]);
    expect(world.sendRequests()).toBe(0);
    world.aws.faults.clear();
    expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
    await expectNoted(world);
  });

  it('keeps the mail from being sent, and the next run sends it', async () => {
    failMarker('mail', DENIED, Infinity);
    await expect(world.report()).rejects.toMatchObject({ name: 'StorageError' });
    expect(puts('days/')).toEqual([MANIFEST]);
    expect(puts('mail/')).toEqual([]);
    expect(world.sendRequests()).toBe(0);
    world.aws.faults.clear();
    expect(await world.report()).toMatchObject({ unchanged: true, mail: { status: 'sent' } });
    expect(world.sendRequests()).toBe(1);
    await expectNoted(world);
  });

  it.each<[string, FaultAction, number]>([
    ['is refused once', DENIED, 1],
    ['meets two answers of 503', { kind: 'error', status: 503, code: 'SlowDown' }, 2],
    ['loses its answer', { kind: 'reset', when: 'after' }, 1],
    ['is cut before it is written', { kind: 'reset', when: 'before' }, 1],
  ])('is written all the same before the change when it %s', async (_, action, times) => {
    failMarker('days', action, times);
    failMarker('mail', action, times);
    expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
    await expectNoted(world);
  });
});

describe('an event of SES', () => {
  it('notes the mail of its day before it changes the ledger, once in ten minutes', async () => {
    await world.report();
    const [report] = world.mails('report');
    world.clock.ahead += TEN_MINUTES;
    world.aws.requests.length = 0;
    const mailEvents = mailEventsOf(world);
    await mailEvents(await sesEvent('delivered', report));
    await mailEvents(await sesEvent('complained', report));
    const marker = `changes/noted_on=2026-11-21/0620-mail-${DAY}.json`;
    expect(puts(CHANGES)).toEqual([marker]);
    expect(puts('mail/day=')).toEqual([LEDGER, LEDGER]);
    await expectNoted(world);
  });

  it('does not change the ledger when the marker is refused', async () => {
    await world.report();
    const [report] = world.mails('report');
    world.clock.ahead += TEN_MINUTES;
    const before = await world.text(LEDGER);
    failMarker('mail', DENIED, Infinity);
    const delivered = await sesEvent('delivered', report);
    await expect(mailEventsOf(world)(delivered)).rejects.toMatchObject({ name: 'StorageError' });
    expect(await world.text(LEDGER)).toBe(before);
  });
});

it('an alert notes nothing: its ledger belongs to no day and is not in the lake', async () => {
  const rule = { name: 'unpaid', measure: 'unpaidCount', above: 0 };
  await world.putRegistry({ [CODE]: { alerts: [rule] } });
  await world.alertCheck({ day: DAY, now: '2026-11-20T18:00:00Z' });
  expect(world.mails('alert')).toHaveLength(1);
  expect(world.keys('mail/alerts/')).toHaveLength(1);
  expect(world.keys(CHANGES)).toEqual([]);
});
