import { addressHash, notifiedDayKey } from '#records/storage/keys.ts';
import { BUCKET, DAY, OPS_TOPIC, useWorld, refuseNotices } from '#support/world/daybook-world.ts';
import { captureOutput } from '#support/runtime/captured-output.ts';
import { watch } from '#support/watch/running-watch.ts';

const CODES = ['700001', '700002', '700003', '700004'];

const world = useWorld({
  merchants: 4,
  environment: { ...OPS_TOPIC, OPS_RECIPIENTS: 'one@example.com,two@example.com' },
});
beforeEach(() => {
  for (const code of CODES) world.payments.data.seedDay(code, DAY, { invoices: 1, refunds: 0 });
});

const report = (code: string) => world.report({ merchantCode: code });
const subjects = () => world.aws.notices.messages.map(({ subject }) => subject?.replace('[Daybook] ', ''));
/** The addresses that got notices. The mails of one notice are sent at the same time, in any order. */
const mailedTo = () =>
  world
    .mails('ops')
    .map(({ destinations }) => destinations[0])
    .sort();
const ONE = `Merchant 700001, ${DAY}: report did not arrive`;
const FOUR = `4 merchants, ${DAY}: reports did not arrive`;
const ALL_CLEAR = `4 merchants, ${DAY}: the reports are there now`;

it('four late merchants are one notice and one all-clear', async () => {
  for (const code of CODES) {
    await watch(world);
    await report(code);
  }
  for (let time = 0; time < 3; time += 1) await watch(world);
  expect(subjects()).toEqual([FOUR, ALL_CLEAR]);
  expect(world.aws.notices.messages[1]?.message).toContain('700003');
  expect(mailedTo()).toEqual(['one@example.com', 'one@example.com', 'two@example.com', 'two@example.com']);
});

describe('a report that is not due yet', () => {
  const HOUR = 60 * 60_000;

  it('is in the answer, but not in a notice or a metric; if it is missing at the deadline, a notice is sent then', async () => {
    world.clockAhead -= 12 * HOUR;
    const output = captureOutput();
    const now = new Date(world.clock.now()).toISOString();
    expect((await watch(world, { day: DAY, now })).missing).toHaveLength(4);
    expect(output.text()).toContain('"ReportsMissing":0');
    expect(subjects()).toEqual([]);
    world.clockAhead += 12 * HOUR;
    for (const code of CODES.slice(1)) await report(code);
    await watch(world);
    expect(subjects()).toEqual([ONE]);
  });

  it('is in a notice about the future if the event asks for a future "now", and in another notice when that time has come', async () => {
    const now = '2026-11-22T04:00:00.000Z';
    const output = captureOutput();
    for (let time = 0; time < 2; time += 1) expect((await watch(world, { now })).missing).toHaveLength(4);
    expect(output.text()).not.toContain('ReportsMissing');
    expect(world.keys('mail/ops/watch/')).toEqual([]);
    expect(world.aws.notices.messages[0]?.message).toContain(`at ${now}. That time has not come yet.`);
    world.clock.setTo(now);
    await watch(world, { now });
    expect(subjects()).toEqual([FOUR.replace(DAY, '2026-11-21'), FOUR.replace(DAY, '2026-11-21')]);
    expect(world.keys('mail/ops/watch/')).toEqual([notifiedDayKey('2026-11-21')]);
  });

  it('causes no all-clear for a notice that was sent when it was due', async () => {
    await watch(world);
    await watch(world, { day: DAY, now: '2026-11-20T16:00:00.000Z' });
    expect(subjects()).toEqual([FOUR]);
  });
});

describe('an all-clear', () => {
  it('goes only to recipients of the notice about the problem', async () => {
    world.refuseMails(/two@/);
    world.awsDoes({ kind: 'error', status: 400, code: 'InvalidParameter' }, { service: 'sns' });
    await watch(world);
    for (const code of CODES) await report(code);
    await watch(world);
    expect(mailedTo()).toEqual(['one@example.com', 'one@example.com']);
    expect(world.aws.notices.messages).toEqual([]);
  });

  it('that could not be sent is sent by the next run', async () => {
    await watch(world);
    for (const code of CODES) await report(code);
    refuseNotices(world);
    await expect(watch(world)).rejects.toMatchObject({ name: 'OpsNotToldError' });
    world.aws.faults.clear();
    await watch(world);
    expect(subjects()).toEqual([FOUR, ALL_CLEAR]);
  });
});

describe('the record of notices', () => {
  it('is written after the notice; when the write fails, the same notice is not sent again', async () => {
    world.refusePuts(/ops\/watch/);
    await watch(world);
    expect(world.keys('mail/ops/watch/')).toEqual([]);
    world.aws.faults.clear();
    await watch(world);
    expect(subjects()).toEqual([FOUR]);
    expect(JSON.parse(await world.text(notifiedDayKey(DAY)))).toMatchObject({
      heardBy: [addressHash('one@example.com'), addressHash('two@example.com'), 'topic'].sort(),
    });
  });

  it('is written again with a new notice if somebody damaged it, and this hides no merchant', async () => {
    await watch(world);
    for (const spoilt of ['{}', 'a'.repeat(3 * 1024 * 1024)]) {
      await world.aws.s3.write(BUCKET, notifiedDayKey(DAY), spoilt);
      expect((await watch(world)).missing).toHaveLength(4);
      expect(JSON.parse(await world.text(notifiedDayKey(DAY)))).toMatchObject({ day: DAY, spell: 0 });
    }
  });

  it('includes the notices of both when two runs send at once', async () => {
    await Promise.all([watch(world), watch(world)]);
    for (const code of CODES) await report(code);
    await watch(world);
    expect(subjects().filter((subject) => subject === ALL_CLEAR)).toHaveLength(1);
    expect(subjects().length).toBeLessThanOrEqual(3);
  });
});
