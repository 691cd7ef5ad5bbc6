import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataKey } from '#records/storage/keys.ts';
import type { Call } from '#sandbox/step-functions/execution.ts';
import { startFanOut } from '#support/fan-out/fan-out-world.ts';
import type { RunningFanOut } from '#support/fan-out/fan-out-world.ts';
import { loseResults } from '#support/fan-out/lose-results.ts';
import { matcher } from '#support/assertions/matcher.ts';
import { BUCKET } from '#support/world/daybook-world.ts';

/** 06:00 in Kuwait. */
const TICK = '2026-11-21T03:00:00Z';
const EVENT = { kind: 'daily', scheduledTime: TICK };
const [LARGE, UNKNOWN, ...SMALL] = Array.from({ length: 9 }, (_, index) => `70000${index + 1}`);
const LAST = String(SMALL.at(-1));
const CODES = [LARGE, UNKNOWN, ...SMALL];
const DAYS = ['2026-11-20', '2026-11-19'];
const ONE_MAIL_EACH = CODES.map((code) => `report ${code} 2026-11-20`);

let fanOut: RunningFanOut;
beforeEach(async () => {
  const defaults = { lookbackDays: [1], reportFrom: '2026-11-20', reportAt: '06:00' };
  fanOut = await startFanOut('daily', { merchants: 9, defaults });
  const { world } = fanOut;
  // What they had a week ago. The merchant UNKNOWN is new.
  for (const code of [LARGE, ...SMALL]) {
    const key = dataKey('invoices', 'json', '2026-11-13', String(code), '20261114T030005Z-9f2c61aa');
    await world.aws.s3.write(BUCKET, key, Buffer.alloc(code === LARGE ? 100_001 : 2_000));
  }
  for (const code of CODES)
    world.payments.data.seedDay(String(code), '2026-11-20', { invoices: 2, refunds: 0 });
  await world.putEmptyHistories();
  world.clock.setTo('2026-11-21T03:00:20Z');
});
afterEach(() => fanOut.world.close());

const isOf = (merchantCode: string) => (call: Call) => call.event['merchantCode'] === merchantCode;
const isSecondPlan = ({ event }: Call) => 'failedOf' in event && !('of' in event);
const failure = (name: string) => Object.assign(new Error(`${name} in a test`), { name });
const callsOf = (calls: readonly Call[], merchantCode: string) =>
  calls
    .filter(isOf(merchantCode))
    .map(({ functionName, event }) => `${functionName} ${String(event['day'])}`);

describe('small merchants of a tick', () => {
  it('share children, large ones run in the larger function, and others as always', async () => {
    const execution = await fanOut.start(EVENT);
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
    expect(callsOf(execution.calls, String(LARGE))).toEqual(DAYS.map((day) => `dailyreportlarge ${day}`));
    expect(callsOf(execution.calls, String(UNKNOWN))).toEqual(DAYS.map((day) => `dailyreport ${day}`));
    // The first of them fill the places that the large and the unknown one leave.
    for (const code of SMALL.slice(2))
      expect(callsOf(execution.calls, code)).toEqual(DAYS.map((day) => `dailyreportbatch ${day}`));
    const runs = new Map(execution.mapRuns.map(({ label, children }) => [label, children]));
    // Two items each: the day with a mail, and the lookback day without.
    expect(runs.get('SharedRound')?.length).toBeLessThanOrEqual(3);
    expect(runs.get('SharedRound')?.map(({ output }) => output)).toContainEqual({
      anyFailed: false,
      ended: matcher(
        expect.arrayContaining([
          { merchantCode: LAST, day: '2026-11-20', revision: 1, mail: 'sent', failed: false },
        ]),
      ),
    });
  });

  it('are pulled and mailed once when the tick is executed five times at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => fanOut.start(EVENT)));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'SUCCEEDED'));
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
    expect(fanOut.world.keys('days/')).toHaveLength(18);
  });

  it('have a child each when a person starts them', async () => {
    const execution = await fanOut.start({ kind: 'daily', day: '2026-11-20' });
    expect(execution.mapRuns.map(({ label, children }) => [label, children.length])).toEqual([
      ['FirstRound', 9],
    ]);
    expect(callsOf(execution.calls, String(LARGE))).toEqual(['dailyreportlarge 2026-11-20']);
    expect(callsOf(execution.calls, String(SMALL[0]))).toEqual(['dailyreport 2026-11-20']);
  });
});

describe('a small merchant that fails', () => {
  const FAILING = LAST;

  it('for ever stops and repeats no other of its child, and is the only one that is counted', async () => {
    fanOut.world.payments.behaviour.loginRefused = [FAILING];
    const execution = await fanOut.start(EVENT);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH.filter((mail) => !mail.includes(FAILING)));
    for (const code of CODES)
      expect(callsOf(execution.calls, String(code))).toHaveLength(code === FAILING ? 4 : 2);
    const second = execution.mapRuns.at(-1);
    expect(second).toMatchObject({ label: 'SecondRound' });
    expect(second?.children.map(({ input, error }) => [input, error])).toEqual(
      ['2026-11-20', '2026-11-19'].map((day) => [
        matcher(expect.objectContaining({ merchantCode: FAILING, days: [day] })),
        'LoginRefusedError',
      ]),
    );
    expect(execution).toMatchObject({ status: 'FAILED', error: 'MerchantsStillFailing' });
    expect(execution.cause).toMatch(/^2 of 18 still fail after the second round, 11\.12 %/);
    // Step Functions names the calls of the shared child.
    const shared = execution.mapRuns.find(({ label }) => label === 'SharedRound');
    expect(shared?.children.flatMap(({ cause = [] }) => cause).join()).toMatch(
      new RegExp(`of \\d failed: \\[.*"${FAILING} 2026-11-20: LoginRefusedError"`),
    );
  });

  it.each(['ServerError', 'Sandbox.Timedout', 'Runtime.OutOfMemory', 'Lambda.Unknown'])(
    'once with %s runs again in a child of its own, and nobody gets two mails',
    async (name) => {
      let failures = 0;
      const execution = await fanOut.start(EVENT, (call) => {
        if (!isOf(FAILING)(call) || failures > 0) return;
        failures += 1;
        throw failure(name);
      });
      expect(execution).toMatchObject({ status: 'SUCCEEDED' });
      expect(execution.mapRuns.at(-1)?.children).toHaveLength(1);
      expect(callsOf(execution.calls, FAILING).at(-1)).toMatch(/^dailyreport /);
      expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
    },
  );

  it('in a way that says nothing of the others takes them all into the second round, without a second mail', async () => {
    let failures = 0;
    const execution = await fanOut.start(EVENT, (call) => {
      if (!isOf(FAILING)(call) || failures > 0) return;
      failures += 1;
      throw failure('no name: of an error');
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(execution.mapRuns.at(-1)?.children.length).toBeGreaterThan(1);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });
});

describe('an execution with shared children', () => {
  it('that dies in between is repeated by a later tick, and nobody gets two mails', async () => {
    let isDead = false;
    await fanOut.start(EVENT, (call) => {
      isDead ||= !('run' in call.event) && isOf(LAST)(call);
      if (isDead) throw failure('UnexpectedError');
    });
    fanOut.world.clock.setTo('2026-11-21T06:15:20Z');
    const later = await fanOut.start({ ...EVENT, scheduledTime: '2026-11-21T06:15:00Z' });
    expect(later).toMatchObject({ status: 'SUCCEEDED' });
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
    expect(fanOut.world.keys('plan/open/')).toEqual([]);
  });

  it.each([0, 1])('fails when results number %i name no failed ones, although some failed', async (index) => {
    fanOut.world.payments.behaviour.loginRefused = [LAST, String(UNKNOWN)];
    const execution = await fanOut.start(EVENT, async (call) => {
      if (isSecondPlan(call)) await loseResults(fanOut.world, call, ['FAILED'], index);
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'RoundResultsError' });
    expect(execution.cause).toMatch(/name \d+ items, but it had 18/);
  });
});
