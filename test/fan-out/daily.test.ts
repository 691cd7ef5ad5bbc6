import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFanOut } from '#support/fan-out/fan-out-world.ts';
import type { RunningFanOut } from '#support/fan-out/fan-out-world.ts';
import type { Call } from '#sandbox/step-functions/execution.ts';

/** 06:00 in Kuwait. */
const TICK = '2026-11-21T03:00:00Z';
const EVENT = { kind: 'daily', scheduledTime: TICK };
const CODES = ['700001', '700002', '700003'];
const DAYS = ['2026-11-20', '2026-11-19', '2026-11-17'];
const ONE_MAIL_EACH = CODES.map((code) => `report ${code} 2026-11-20`);

let fanOut: RunningFanOut;
beforeEach(async () => {
  const defaults = { lookbackDays: [1, 3], reportFrom: '2026-11-20', reportAt: '06:00' };
  fanOut = await startFanOut('daily', { merchants: 3, defaults });
  for (const code of CODES)
    fanOut.world.payments.data.seedDay(code, '2026-11-20', { invoices: 6, refunds: 1 });
  await fanOut.world.putEmptyHistories();
  fanOut.world.clock.setTo('2026-11-21T03:00:20Z');
});
afterEach(() => fanOut.world.close());

const isReport = ({ functionName }: Call) => functionName.startsWith('dailyreport');
const isOf = (merchantCode: string) => (call: Call) =>
  isReport(call) && call.event['merchantCode'] === merchantCode;
const isSecondPlan = ({ event }: Call) => 'failedOf' in event;
/** As Lambda and Step Functions name failures. */
const failure = (name: string) => Object.assign(new Error(`${name} in a test`), { name });

describe('a tick of the reports', () => {
  it('ends at once when no merchant is due', async () => {
    const execution = await fanOut.start({ kind: 'daily', scheduledTime: '2026-11-21T04:00:00Z' });
    expect(execution).toMatchObject({ status: 'SUCCEEDED', mapRuns: [] });
    expect(execution.entered).toEqual([
      'Is it of the kind "daily"?',
      'Its items will be run',
      'Plan who is due',
      'Is anybody due?',
      'Is it a tick of the schedule?',
      'Plan the statements that are due',
      'Is any statement due?',
      'How does it end?',
      'Nothing due',
    ]);
    expect(execution.calls).toHaveLength(2);
  });

  it('reports every merchant and its lookback days', async () => {
    const execution = await fanOut.start(EVENT);
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(execution.entered.at(-1)).toBe('Every merchant is done');
    expect(fanOut.world.keys('days/')).toHaveLength(9);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
    // One item with the day that mails and one with the lookback days before `reportFrom`, which do not.
    expect(execution.calls.filter(isOf('700002')).map(({ event }) => event)).toEqual(
      expect.arrayContaining(
        DAYS.map((day) => ({ merchantCode: '700002', day, send: day === '2026-11-20', scheduledTime: TICK })),
      ),
    );
    const [round] = execution.mapRuns;
    expect(round?.children.map(({ output }) => output)).toContainEqual({
      anyFailed: false,
      ended: [{ day: '2026-11-20', revision: 1, mail: 'sent', failed: false }],
    });
    expect(fanOut.world.keys('plan/results/daily/')).toEqual([
      expect.stringMatching(/SUCCEEDED_0\.json$/),
      round?.manifestKey,
    ]);
  });

  it('pulls and mails nothing twice when it is executed twice', async () => {
    await fanOut.start(EVENT);
    const requests = fanOut.world.payments.requests.length;
    const again = await fanOut.start(EVENT);
    expect(again).toMatchObject({ status: 'SUCCEEDED' });
    expect(again.calls.filter(isReport)).toHaveLength(9);
    expect(fanOut.world.payments.requests).toHaveLength(requests);
    expect(fanOut.world.sendRequests()).toBe(3);
  });

  it('mails nothing twice when it is executed twice at the same time', async () => {
    const both = await Promise.all([fanOut.start(EVENT), fanOut.start(EVENT)]);
    expect(both.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    expect(fanOut.world.keys('days/')).toHaveLength(9);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });
});

describe('a merchant that fails', () => {
  it('for good stops no other merchant, is tried once more, and fails the execution visibly', async () => {
    fanOut.world.payments.behaviour.loginRefused = ['700002'];
    const execution = await fanOut.start(EVENT);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH.filter((mail) => !mail.includes('700002')));
    // Two items of six: the merchant's day with mail and its days without.
    const manifestKey = execution.mapRuns[1]?.manifestKey ?? '';
    expect(execution).toMatchObject({
      status: 'FAILED',
      error: 'MerchantsStillFailing',
      cause: `2 of 6 still fail after the second round, 33.34 %; 5 % are tolerated. Results: ${manifestKey}`,
    });
    const [first, second] = execution.mapRuns;
    expect(first?.children.filter(({ status }) => status === 'SUCCEEDED')).toHaveLength(4);
    expect(second?.children).toHaveLength(2);
    expect(second?.children).toContainEqual(
      expect.objectContaining({
        status: 'FAILED',
        error: 'LoginRefusedError',
        cause: '2 of 2 failed: ["2026-11-19: LoginRefusedError","2026-11-17: LoginRefusedError"]',
      }),
    );
    // Three days in two rounds: a refusal is not retried at once.
    expect(execution.calls.filter(isOf('700002'))).toHaveLength(6);
  });

  it('for good, within the tolerated share, leaves the execution successful', async () => {
    await fanOut.world.close();
    fanOut = await startFanOut('daily', { merchants: 3 }, { toleratedFailurePercentage: 34 });
    await fanOut.world.putEmptyHistories();
    fanOut.world.clock.setTo('2026-11-21T03:00:20Z');
    fanOut.world.payments.behaviour.loginRefused = ['700002'];
    const execution = await fanOut.start(EVENT);
    expect(execution.entered.slice(-2)).toEqual([
      'How does it end?',
      'Some still fail, within what is tolerated',
    ]);
    expect(execution.status).toBe('SUCCEEDED');
  });

  it('on one day still gets its other days reported', async () => {
    const execution = await fanOut.start({ kind: 'daily', from: '2026-11-17', to: '2026-11-20' }, (call) => {
      if (isOf('700001')(call) && call.event['day'] === '2026-11-18') throw failure('ContractError');
    });
    expect(execution.mapRuns[1]?.children).toEqual([
      expect.objectContaining({
        error: 'ContractError',
        cause: '1 of 4 failed: ["2026-11-18: ContractError"]',
      }),
    ]);
    expect(fanOut.world.keys('days/').filter((key) => key.includes('700001'))).toHaveLength(3);
  });

  it('once succeeds when it is planned again', async () => {
    fanOut.world.payments.behaviour.loginRefused = ['700002'];
    const execution = await fanOut.start(EVENT, (call) => {
      if (isSecondPlan(call)) fanOut.world.payments.behaviour.loginRefused = false;
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(execution.mapRuns.map(({ label, children }) => [label, children.length])).toEqual([
      ['FirstRound', 6],
      ['SecondRound', 2],
    ]);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });

  it('can be run again alone with the key of the results', async () => {
    fanOut.world.payments.behaviour.loginRefused = ['700002'];
    const { mapRuns } = await fanOut.start(EVENT);
    fanOut.world.payments.behaviour.loginRefused = false;
    const again = await fanOut.start({ kind: 'daily', failedOf: mapRuns[1]?.manifestKey });
    expect(again).toMatchObject({ status: 'SUCCEEDED' });
    expect(again.calls.filter(isReport)).toHaveLength(3);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });
});

describe('a failure that passes', () => {
  it('of the payment service is retried for that day alone', async () => {
    const { faults } = fanOut.world.payments.behaviour;
    faults.add({ merchantCode: '700003', times: Infinity, action: { kind: 'server-error', status: 500 } });
    let calls = 0;
    const execution = await fanOut.start(EVENT, (call) => {
      if (isOf('700003')(call) && call.event['day'] === '2026-11-20') calls += 1;
      if (calls === 2) faults.clear();
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(execution.mapRuns).toHaveLength(1);
    expect(calls).toBeGreaterThanOrEqual(2);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });

  it('of the payment service that lasts gets three more tries and then the second round', async () => {
    const execution = await fanOut.start({ kind: 'daily', day: '2026-11-20' }, (call) => {
      if (isOf('700003')(call)) throw failure('ServerError');
    });
    expect(execution.calls.filter(isOf('700003'))).toHaveLength(8);
    expect(execution).toMatchObject({ status: 'FAILED', error: 'MerchantsStillFailing' });
  });

  it('of Lambda, a throttled call of plan or report, is retried until it succeeds', async () => {
    let throttles = 0;
    const execution = await fanOut.start(EVENT, (call) => {
      const isMeant = call.functionName === 'plan' || isOf('700001')(call);
      if (isMeant && throttles < 9) {
        throttles += 1;
        throw failure('Lambda.TooManyRequestsException');
      }
    });
    expect(throttles).toBe(9);
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(execution.mapRuns).toHaveLength(1);
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });

  it('of a run that timed out or died is left to the second round', async () => {
    const names = new Map([
      ['700001', 'Sandbox.Timedout'],
      ['700002', 'Lambda.Unknown'],
      ['700003', 'DeadlineError'],
    ]);
    const left = new Map(names);
    const execution = await fanOut.start({ kind: 'daily', day: '2026-11-20' }, ({ event }) => {
      const merchantCode = String(event['merchantCode']);
      const name = left.get(merchantCode);
      left.delete(merchantCode);
      if (name !== undefined) throw failure(name);
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    const [first, second] = execution.mapRuns;
    expect(first?.children.map(({ error }) => error)).toEqual([...names.values()]);
    expect(second?.children.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED']);
    expect(execution.calls.filter(isReport)).toHaveLength(6);
  });
});

describe('an execution that is started by hand', () => {
  it('seals every day of a merchant and mails nothing when it is a backfill', async () => {
    const event = { kind: 'daily', merchants: ['700001'], from: '2026-11-01', to: '2026-11-06' };
    const execution = await fanOut.start(event);
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(execution.calls.filter(isReport).map(({ event: of }) => of['day'])).toEqual([
      '2026-11-01',
      '2026-11-02',
      '2026-11-03',
      '2026-11-04',
      '2026-11-05',
      '2026-11-06',
    ]);
    expect(execution.mostCallsOfAMerchant).toBe(1);
    expect(fanOut.world.keys('days/')).toHaveLength(6);
    expect(fanOut.world.sendRequests()).toBe(0);
  });

  it('fails with the error name of plan when plan refuses its event', async () => {
    expect(await fanOut.start({ kind: 'daily', form: '2026-11-01' })).toMatchObject({
      status: 'FAILED',
      error: 'InvalidEventError',
    });
  });

  it.each([{ kind: 'alert', scheduledTime: TICK }, {}])(
    'is refused before it is planned when its event is %j',
    async (event) => {
      const execution = await fanOut.start(event);
      expect(execution).toMatchObject({ status: 'FAILED', error: 'WrongKind', calls: [] });
      expect(fanOut.world.keys('plan/')).toEqual([]);
    },
  );
});
