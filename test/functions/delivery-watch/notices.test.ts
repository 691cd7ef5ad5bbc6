import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressHash, ledgerKey, notifiedDayKey } from '#domain/storage/keys.ts';
import { BUCKET, DAY, DaybookWorld } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { watch } from '#support/delivery-watch/running-watch.ts';
import { ledgerSchema } from '#domain/ledger/ledger.ts';

const TOPIC = 'arn:aws:sns:us-east-1:111122223333:daybook-ops';
const CODES = ['700001', '700002', '700003', '700004'];

let world: DaybookWorld;
beforeEach(async () => {
  world = await DaybookWorld.start({
    merchants: 4,
    environment: { OPS_TOPIC_ARN: TOPIC, OPS_RECIPIENTS: 'one@example.com,two@example.com' },
  });
  for (const code of CODES) world.payments.data.seedDay(code, DAY, { invoices: 1, refunds: 0 });
});
afterEach(() => world.close());

const report = (code: string) => world.report({ merchantCode: code });
const subjects = () => world.aws.notices.messages.map(({ subject }) => subject?.replace('[Daybook] ', ''));
/** Whom notices were mailed to; the mails of one notice go out side by side, in any order. */
const mailedTo = () =>
  world
    .mails('ops')
    .map(({ destinations }) => destinations[0])
    .sort();
const ALL_CLEAR = `The reports of ${DAY} are all there now`;

it('four late merchants are one notice and one all-clear', async () => {
  for (const code of CODES) {
    await watch(world);
    await report(code);
  }
  for (let time = 0; time < 3; time += 1) await watch(world);
  expect(subjects()).toEqual(['4 reports did not arrive', ALL_CLEAR]);
  expect(world.aws.notices.messages[1]?.message).toContain('700003');
  expect(mailedTo()).toEqual(['one@example.com', 'one@example.com', 'two@example.com', 'two@example.com']);
});

it('a reason that is worse is told, one that is better is not, and the same trouble after an all-clear is news', async () => {
  for (const code of CODES) await report(code);
  const key = ledgerKey(DAY, '700001', 1);
  const whole = await world.text(key);
  const becomes = async (status: string) => {
    const ledger = ledgerSchema.parse(JSON.parse(whole));
    const recipients = ledger.recipients.map((entry) => ({ ...entry, status }));
    await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...ledger, status, recipients }));
    await watch(world);
  };
  await becomes('failed');
  await becomes('held');
  await becomes('failed');
  await becomes('bounced');
  expect(subjects()).toHaveLength(2);
  await becomes('delivered');
  await becomes('delivered');
  expect(subjects()).toHaveLength(3);
  await becomes('failed');
  expect(subjects()).toEqual([
    'A report did not arrive',
    'A report did not arrive',
    ALL_CLEAR,
    'A report did not arrive',
  ]);
});

describe('what is not due yet', () => {
  const HOUR = 60 * 60_000;

  it('is in the answer, and neither told nor counted: what is missing at the deadline is told then', async () => {
    world.clockAhead -= 12 * HOUR;
    const output = captureOutput();
    expect(
      (await watch(world, { day: DAY, now: new Date(world.clock.now()).toISOString() })).missing,
    ).toHaveLength(4);
    expect(output.text()).toContain('"ReportsMissing":0');
    expect(subjects()).toEqual([]);
    world.clockAhead += 12 * HOUR;
    for (const code of CODES.slice(1)) await report(code);
    await watch(world);
    expect(subjects()).toEqual(['A report did not arrive']);
  });

  it('is told as a time to come where the event asks for a "now" of the future, and is told again once that time has come', async () => {
    const now = '2026-11-22T04:00:00.000Z';
    const output = captureOutput();
    for (let time = 0; time < 2; time += 1) expect((await watch(world, { now })).missing).toHaveLength(4);
    expect(output.text()).not.toContain('ReportsMissing');
    expect(world.keys('mail/ops/watch/')).toEqual([]);
    expect(world.aws.notices.messages[0]?.message).toContain(`at ${now}. That time has not come yet.`);
    world.clock.setTo(now);
    await watch(world, { now });
    expect(subjects()).toEqual(['4 reports did not arrive', '4 reports did not arrive']);
    expect(world.keys('mail/ops/watch/')).toEqual([notifiedDayKey('2026-11-21')]);
  });

  it('gives no all-clear for what was told when it was due', async () => {
    await watch(world);
    await watch(world, { day: DAY, now: '2026-11-20T16:00:00.000Z' });
    expect(subjects()).toEqual(['4 reports did not arrive']);
  });
});

describe('an all-clear', () => {
  it('goes only to those who heard of the trouble', async () => {
    const busy = { kind: 'error', status: 400, code: 'MessageRejected' } as const;
    world.aws.faults.add({ service: 'ses', key: /two@/, action: busy });
    world.aws.faults.add({
      service: 'sns',
      action: { kind: 'error', status: 400, code: 'InvalidParameter' },
    });
    await watch(world);
    for (const code of CODES) await report(code);
    await watch(world);
    expect(mailedTo()).toEqual(['one@example.com', 'one@example.com']);
    expect(world.aws.notices.messages).toEqual([]);
  });

  it('does not come for a day that was always well', async () => {
    for (const code of CODES) await report(code);
    await watch(world);
    expect(subjects()).toEqual([]);
    expect(world.keys('mail/ops/')).toEqual([]);
  });

  it('that nobody heard comes with the next run', async () => {
    await watch(world);
    for (const code of CODES) await report(code);
    for (const service of ['ses', 'sns']) {
      const action = { kind: 'error', status: 503, code: 'ServiceUnavailable' } as const;
      world.aws.faults.add({ service, times: Infinity, action });
    }
    await expect(watch(world)).rejects.toMatchObject({ name: 'OpsNotToldError' });
    world.aws.faults.clear();
    await watch(world);
    expect(subjects()).toEqual(['4 reports did not arrive', ALL_CLEAR]);
  });
});

describe('what was told', () => {
  it('is recorded after the notice: when that fails, the same notice is not sent again', async () => {
    const denied = { kind: 'error', status: 403, code: 'AccessDenied' } as const;
    world.aws.faults.add({ operation: 'PutObject', key: /ops\/watch/, times: 1, action: denied });
    await watch(world);
    expect(world.keys('mail/ops/watch/')).toEqual([]);
    await watch(world);
    expect(subjects()).toEqual(['4 reports did not arrive']);
    expect(JSON.parse(await world.text(notifiedDayKey(DAY)))).toMatchObject({
      heardBy: [addressHash('one@example.com'), addressHash('two@example.com'), 'topic'].sort(),
    });
  });

  it('is told again where somebody spoilt it, and no merchant is hidden by that', async () => {
    await watch(world);
    for (const spoilt of ['{}', 'a'.repeat(3 * 1024 * 1024)]) {
      await world.aws.s3.write(BUCKET, notifiedDayKey(DAY), spoilt);
      expect((await watch(world)).missing).toHaveLength(4);
      expect(JSON.parse(await world.text(notifiedDayKey(DAY)))).toMatchObject({ day: DAY, spell: 0 });
    }
  });

  it('by two runs at once is recorded for both of them', async () => {
    await Promise.all([watch(world), watch(world)]);
    for (const code of CODES) await report(code);
    await watch(world);
    expect(subjects().filter((subject) => subject === ALL_CLEAR)).toHaveLength(1);
    expect(subjects().length).toBeLessThanOrEqual(3);
  });
});
