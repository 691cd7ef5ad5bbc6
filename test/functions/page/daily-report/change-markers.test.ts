import { CHANGES } from '#records/storage/keys.ts';
import { knownErrors } from '#sandbox/aws/index.ts';
import { expectNoted } from '#support/crash/point.ts';
import { CODE, DAY, useWorld, type DaybookWorld } from '#support/world/daybook-world.ts';

/*
 * The history of the lake looks only at days that have a change marker. So a manifest or a ledger of a report without one
 * would be missed.
 */

const MANIFEST = `days/day=${DAY}/merchant=${CODE}/r0001.json`;
const LEDGER = `mail/day=${DAY}/merchant=${CODE}/r0001.json`;
const markerAt = (time: string, what: 'days' | 'mail') =>
  `changes/noted_on=2026-11-21/${time}-${what}-${DAY}.json`;
const [DAYS_MARKER, MAIL_MARKER] = [markerAt('0610', 'days'), markerAt('0610', 'mail')];
const TEN_MINUTES = 10 * 60_000;

const EVENT = { merchantCode: CODE, day: DAY };

const world = useWorld();
/** A function that keeps running. Each `world.report` is a process of its own. */
let report: ReturnType<DaybookWorld['coldStart']>;
beforeEach(() => {
  report = world.coldStart();
  world.clock.setTo('2026-11-21T06:11:00Z');
  world.payments.data.seedDay(CODE, DAY, { invoices: 20, refunds: 2 });
});

/** The keys of the successful puts that begin like that, in their order. */
function puts(prefix = ''): string[] {
  return world.aws.requests.flatMap(({ operation, status, key = '' }) =>
    operation === 'PutObject' && status === 200 && key.startsWith(prefix) ? [key] : [],
  );
}

function failMarker(what: 'days' | 'mail', times = 1): void {
  const key = new RegExp(`^changes/.*-${what}-`);
  world.awsDoes(knownErrors.s3.accessDenied, { service: 's3', operation: 'PutObject', key, times });
}

const changeDay = () => world.payments.data.insertInvoice(CODE, DAY, { invoice_status: 1 });

describe('a report', () => {
  it('notes the day before it seals and the mail before the ledger, but nothing when nothing changes', async () => {
    await world.report();
    const order = [DAYS_MARKER, MANIFEST, MAIL_MARKER, LEDGER].map((key) => puts().indexOf(key));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    const notedAt = '2026-11-21T06:10:00.000Z';
    expect(JSON.parse(await world.text(DAYS_MARKER))).toEqual({ day: DAY, what: 'days', notedAt });
    expect(JSON.parse(await world.text(MAIL_MARKER))).toEqual({ day: DAY, what: 'mail', notedAt });
    expect(await world.report()).toMatchObject({ unchanged: true });
    await world.report({ dryRun: true });
    expect(puts(CHANGES)).toEqual([DAYS_MARKER, MAIL_MARKER]);
    world.clock.ahead += TEN_MINUTES;
    await world.report({ resend: true });
    expect(puts(CHANGES).slice(2)).toEqual([markerAt('0620', 'mail')]);
    await expectNoted(world);
  });

  it('uploads its files and notes the day at the same time', async () => {
    let uploads = 0;
    world.beforePut(/^changes\/.*-days-/, async () => {
      await expect.poll(() => (uploads = puts('invoices/').length), { timeout: 5_000 }).toBe(2);
    });
    await world.report();
    expect(uploads).toBe(2);
  });
});

it('a process writes each marker once in ten minutes, again in the next ten, and does not rely on another process', async () => {
  await report(EVENT);
  changeDay();
  await report(EVENT);
  expect(puts('days/')).toHaveLength(2);
  expect(puts(CHANGES)).toEqual([DAYS_MARKER, MAIL_MARKER]);
  changeDay();
  await world.report();
  expect(puts(CHANGES).slice(2)).toEqual([DAYS_MARKER, MAIL_MARKER]);
  world.clock.ahead += TEN_MINUTES;
  changeDay();
  await report(EVENT);
  expect(puts(CHANGES).slice(4)).toEqual([markerAt('0620', 'days'), markerAt('0620', 'mail')]);
  await expectNoted(world);
});

describe('a marker that S3 does not take', () => {
  it.each([
    { what: 'days', marker: DAYS_MARKER, done: [], keeps: 'the day from being sealed' },
    { what: 'mail', marker: MAIL_MARKER, done: [MANIFEST], keeps: 'the mail from being sent' },
  ] as const)('keeps $keeps, is not remembered, and the next run goes on', async ({ what, marker, done }) => {
    failMarker(what, Infinity);
    await expect(report(EVENT)).rejects.toMatchObject({
      name: 'StorageError',
      message: `S3 PutObject of ${marker} failed: AccessDenied (HTTP 403)`,
    });
    expect([...puts('days/'), ...puts('mail/')]).toEqual(done);
    expect(world.sendRequests()).toBe(0);
    world.aws.faults.clear();
    expect(await report(EVENT)).toMatchObject({ revision: 1, mail: { status: 'sent' } });
    expect(puts(CHANGES)).toEqual([DAYS_MARKER, MAIL_MARKER]);
    expect(world.sendRequests()).toBe(1);
    await expectNoted(world);
  });

  it('at first is written all the same before the change', async () => {
    failMarker('days');
    failMarker('mail');
    expect(await world.report()).toMatchObject({ revision: 1, mail: { status: 'sent' } });
    await expectNoted(world);
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
