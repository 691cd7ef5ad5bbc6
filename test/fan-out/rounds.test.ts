import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '#sandbox/step-functions/execution.ts';
import { startFanOut } from '#support/fan-out/fan-out-world.ts';
import type { RunningFanOut } from '#support/fan-out/fan-out-world.ts';
import { loseResults } from '#support/fan-out/lose-results.ts';

/** 06:00 in Kuwait. */
const TICK = '2026-11-21T03:00:00Z';
const EVENT = { kind: 'daily', scheduledTime: TICK };
const CODES = ['700001', '700002', '700003'];
const ONE_MAIL_EACH = CODES.map((code) => `report ${code} 2026-11-20`);
const OPEN = 'plan/open/daily/20261121T030000Z.json';

let fanOut: RunningFanOut;
beforeEach(async () => {
  fanOut = await startFanOut('daily', { merchants: 3, defaults: { lookbackDays: [], reportAt: '06:00' } });
  for (const code of CODES)
    fanOut.world.payments.data.seedDay(code, '2026-11-20', { invoices: 6, refunds: 1 });
  setTime('2026-11-21T03:00:20Z');
});
afterEach(() => fanOut.world.close());

function setTime(time: string): void {
  fanOut.world.clock.setTo(time);
}

const failure = (name: string) => Object.assign(new Error(`${name} in a test`), { name });
const isPlan = ({ functionName }: Call) => functionName === 'plan';
const isReport = ({ functionName }: Call) => functionName.startsWith('dailyreport');
const isSecondPlan = ({ event }: Call) => 'failedOf' in event && !('of' in event);
const isCount = ({ event }: Call) => 'of' in event;
const isEnd = ({ event }: Call) => 'finished' in event;
const open = () => fanOut.world.keys('plan/open/');

describe('a plan that fails', () => {
  it.each([
    'Sandbox.Timedout',
    'States.Timeout',
    'Lambda.Unknown',
    'Runtime.ExitError',
    'Runtime.OutOfMemory',
  ])('because of %s is run again, and every merchant is reported', async (name) => {
    let deaths = 0;
    const execution = await fanOut.start(EVENT, (call) => {
      if (isPlan(call) && deaths < 2) {
        deaths += 1;
        throw failure(name);
      }
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });
});

describe('the round of an execution', () => {
  it('is open while it runs, and closed when every merchant is done', async () => {
    const seen: string[][] = [];
    const execution = await fanOut.start(EVENT, (call) => {
      if (isReport(call)) seen.push(open());
    });
    expect(execution.entered.at(-1)).toBe('Every merchant is done');
    expect(seen).toEqual([[OPEN], [OPEN], [OPEN]]);
    expect(open()).toEqual([]);
  });

  it.each([
    [5, 'FAILED'],
    [50, 'SUCCEEDED'],
  ])(
    'is closed when some fail for good and %i %% are tolerated, so it is not repeated for ever',
    async (toleratedFailurePercentage, status) => {
      await fanOut.world.close();
      fanOut = await startFanOut('daily', { merchants: 3 }, { toleratedFailurePercentage });
      setTime('2026-11-21T03:00:20Z');
      fanOut.world.payments.behaviour.loginRefused = ['700002'];
      expect(await fanOut.start(EVENT)).toMatchObject({ status });
      expect(open()).toEqual([]);
    },
  );

  it('leaves the execution successful when its end cannot be recorded', async () => {
    const execution = await fanOut.start(EVENT, (call) => {
      if (isEnd(call)) throw failure('UnexpectedError');
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(open()).toEqual([OPEN]);
  });

  it.each([
    ['right after the plan', () => true],
    ['in the middle of the first round', (call: Call) => call.event['merchantCode'] === '700002'],
    ['before the failed ones were planned', isSecondPlan],
  ])(
    'is repeated by a later tick when the execution dies %s, and nobody gets two mails',
    async (_, isDeath) => {
      let isDead = false;
      const execution = await fanOut.start(EVENT, (call) => {
        isDead ||= !('run' in call.event) && isDeath(call);
        if (isDead) throw failure('UnexpectedError');
      });
      expect(execution).toMatchObject({ status: 'FAILED' });
      const mailed = fanOut.mailed();
      setTime('2026-11-21T03:15:20Z');
      expect(await fanOut.start({ ...EVENT, scheduledTime: '2026-11-21T03:15:00Z' })).toMatchObject({
        mapRuns: [],
      });
      expect(fanOut.mailed()).toEqual(mailed);

      setTime('2026-11-21T06:15:20Z');
      const later = await fanOut.start({ ...EVENT, scheduledTime: '2026-11-21T06:15:00Z' });
      expect(later).toMatchObject({ status: 'SUCCEEDED' });
      expect(later.calls.filter(isReport).map(({ event }) => event['scheduledTime'])).toEqual([
        TICK,
        TICK,
        TICK,
      ]);
      expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
      expect(open()).toEqual([]);
    },
  );

  it('is not opened for an event by hand, and the schedule stays as it is', async () => {
    await fanOut.start({ ...EVENT, merchants: ['700001'] });
    expect(fanOut.world.keys('plan/daily.json')).toEqual([]);
    expect(open()).toEqual([]);
  });
});

describe('results that do not cover every merchant', () => {
  const ALL = ['FAILED', 'PENDING', 'SUCCEEDED'] as const;

  it('in the first round fail the execution with RoundResultsError, and the round is run again', async () => {
    fanOut.world.payments.behaviour.loginRefused = ['700002'];
    const execution = await fanOut.start(EVENT, async (call) => {
      if (isSecondPlan(call)) await loseResults(fanOut.world, call, ALL);
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'RoundResultsError' });
    expect(open()).toEqual([OPEN]);
    fanOut.world.payments.behaviour.loginRefused = false;
    setTime('2026-11-21T06:15:20Z');
    await fanOut.start({ ...EVENT, scheduledTime: '2026-11-21T06:15:00Z' });
    expect(fanOut.mailed()).toEqual(ONE_MAIL_EACH);
  });

  it('in the second round fail the execution, too', async () => {
    fanOut.world.payments.behaviour.loginRefused = ['700002'];
    const execution = await fanOut.start(EVENT, async (call) => {
      if (isCount(call)) await loseResults(fanOut.world, call, ALL);
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'RoundResultsError' });
  });

  it.each([
    ['first', isSecondPlan, 'name 2 items, but it had 3'],
    ['second', isCount, 'name no items'],
  ])('of the %s round fail the execution if only the failed ones are missing', async (_, isAfter, why) => {
    fanOut.world.payments.behaviour.loginRefused = ['700002'];
    const execution = await fanOut.start(EVENT, async (call) => {
      if (isAfter(call)) await loseResults(fanOut.world, call, ['FAILED']);
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'RoundResultsError' });
    expect(execution.cause).toContain(why);
    expect(open()).toEqual([OPEN]);
  });
});
