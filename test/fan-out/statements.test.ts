import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call, Execution } from '#sandbox/step-functions/execution.ts';
import { daysOf, periodDays } from '#records/period/period.ts';
import type { PlanResult } from '#functions/plan/plan-result.ts';
import { matcher } from '#support/assertions/matcher.ts';
import { startFanOut } from '#support/fan-out/fan-out-world.ts';
import type { RunningFanOut } from '#support/fan-out/fan-out-world.ts';
import { sealPage } from '#support/statement/statement-world.ts';

/** 08:00 on a Sunday in Kuwait: the reports of Saturday are due, and the statements of the week. */
const TICK = '2026-11-22T05:00:00Z';
const NEXT_TICK = '2026-11-22T05:15:00Z';
const CODES = ['700001', '700002', '700003'];
const SATURDAY = '2026-11-21';
const WEEK = '2026-W47';
const WEEKLY = { weekly: { on: 'sunday', at: '08:00' } };
const GROUP = { name: 'shops', merchants: 'all', recipients: ['boss@group.example'], daily: true, ...WEEKLY };
const REPORTS = CODES.map((code) => `report ${code} ${SATURDAY}`);
const STATEMENTS = CODES.map((code) => `statement ${code} ${WEEK}`);
const PAGES = [`group shops ${SATURDAY}`, `group shops ${WEEK}`];
const TOLERATED = 5;

let fanOut: RunningFanOut;
beforeEach(async () => {
  const defaults = { lookbackDays: [], reportAt: '08:00', reportFrom: '2026-11-15', statements: WEEKLY };
  fanOut = await startFanOut('daily', { merchants: 3, defaults }, { toleratedFailurePercentage: TOLERATED });
  const { world } = fanOut;
  await world.putRegistry({}, {}, { groups: [GROUP] });
  await world.putEmptyHistories();
  world.clock.setTo('2026-11-22T03:30:00Z');
  for (const merchantCode of CODES) {
    for (const day of daysOf(periodDays(WEEK, 'sunday'))) {
      if (day !== SATURDAY) await sealPage(world, { merchantCode, day, merchantId: null });
    }
    world.payments.data.seedDay(merchantCode, SATURDAY, { invoices: 6, refunds: 1 });
  }
  // The page of the day before went out a day ago.
  await world.statement({ group: GROUP.name, period: '2026-11-20', send: false });
  world.clock.setTo('2026-11-22T05:00:20Z');
});
afterEach(() => fanOut.world.close());

const start = (scheduledTime: string, before?: (call: Call) => Promise<void> | void) =>
  fanOut.start({ kind: 'daily', scheduledTime }, before);

function startNext(before?: (call: Call) => Promise<void> | void): Promise<Execution> {
  fanOut.world.clock.setTo('2026-11-22T05:15:20Z');
  return start(NEXT_TICK, before);
}

const isStatement = ({ functionName }: Call) => functionName === 'statement';
const isOf = (merchantCode: string) => (call: Call) =>
  isStatement(call) && call.event['merchantCode'] === merchantCode;
/** A call of `plan` that plans statements, and not the failed ones of a round. */
const plansStatements = ({ functionName, event }: Call) =>
  functionName === 'plan' && event['kind'] === 'statement' && !('failedOf' in event);
const failure = (name: string) => Object.assign(new Error(`${name} in a test`), { name });
const sealed = () => fanOut.world.keys('statements/').filter((key) => !key.includes('2026-11-20'));
const labels = ({ mapRuns }: Execution) => mapRuns.map(({ label, children }) => [label, children.length]);

describe('a tick of the reports at which statements are due', () => {
  it('reports the days first, then sends the statements once, then the page of the week', async () => {
    const first = await start(TICK);

    expect(first).toMatchObject({ status: 'SUCCEEDED' });
    expect(labels(first)).toEqual([
      ['FirstRound', 3],
      ['Statements', 1],
    ]);
    const lastReport = first.calls.findLastIndex(({ functionName }) => functionName === 'dailyreport');
    expect(first.calls.findIndex(isStatement)).toBeGreaterThan(lastReport);
    // The page of the day goes with the statements: it shows the days that were just reported.
    expect(fanOut.mailed()).toEqual([PAGES[0], ...REPORTS, ...STATEMENTS]);
    expect(first.calls.find(isOf('700002'))?.event).toEqual({
      merchantCode: '700002',
      period: WEEK,
      send: true,
      scheduledTime: TICK,
      revisions: [1, 1, 1, 1, 1, 1, 1],
      seen: { at: matcher(expect.stringMatching(/^2026-11-22T05:00:/)), from: '2026-11-15' },
    });

    const next = await startNext();
    expect(labels(next)).toEqual([['Statements', 1]]);
    expect(fanOut.mailed()).toEqual([...PAGES, ...REPORTS, ...STATEMENTS]);
    expect(sealed()).toHaveLength(5);
  });

  it('has nothing more to send when it is started again', async () => {
    await start(TICK);
    const mailed = fanOut.mailed();
    const again = await start(TICK);
    expect(again).toMatchObject({ status: 'SUCCEEDED' });
    // The statements are there, so the page of the week is due now.
    expect(again.calls.filter(isStatement).map(({ event }) => event['group'])).toEqual(['shops']);
    expect(fanOut.mailed()).toEqual([...PAGES, ...mailed.slice(1)]);
    expect((await start(TICK)).calls.filter(isStatement)).toEqual([]);
    expect(sealed()).toHaveLength(5);
  });

  it('seals and mails each statement once when it is started twice at the same time', async () => {
    const both = await Promise.all([start(TICK), start(TICK)]);
    expect(both.map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    await startNext();
    expect(sealed()).toHaveLength(5);
    expect(fanOut.mailed()).toEqual([...PAGES, ...REPORTS, ...STATEMENTS]);
  });

  it('has the same items when its statements are planned twice', async () => {
    const answers: PlanResult[] = [];
    await start(TICK, async (call) => {
      if (!plansStatements(call)) return;
      for (let times = 0; times < 2; times += 1) answers.push(await fanOut.world.plan(call.event));
    });
    const [first, second] = answers.map(({ items = [], ...rest }) => ({
      ...rest,
      // All but the time of the look.
      items: items.map((item) => ({ ...item, seen: undefined })),
    }));
    expect(first).toMatchObject({ itemCount: 4, lookedAt: 6 });
    expect(second).toEqual(first);
  });

  it('runs no statements when a person starts it for a merchant or a day', async () => {
    await fanOut.start({ kind: 'daily', scheduledTime: TICK, merchants: ['700001'] });
    await fanOut.start({ kind: 'daily', scheduledTime: TICK, day: SATURDAY });
    expect(sealed()).toEqual([]);
  });
});

describe('a statement that fails', () => {
  it('once, with an error that passes, is retried by its child', async () => {
    let failed = false;
    const execution = await start(TICK, (call) => {
      if (failed || !isOf('700002')(call)) return;
      failed = true;
      throw failure('StorageError');
    });
    expect(labels(execution)).toEqual([
      ['FirstRound', 3],
      ['Statements', 1],
    ]);
    expect(fanOut.mailed()).toEqual([PAGES[0], ...REPORTS, ...STATEMENTS]);
  });

  it('once, because its run died, is tried in the second round and goes out', async () => {
    let failed = false;
    const execution = await start(TICK, (call) => {
      if (failed || !isOf('700002')(call)) return;
      failed = true;
      throw failure('Sandbox.Timedout');
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(labels(execution)).toEqual([
      ['FirstRound', 3],
      ['Statements', 1],
      ['StatementsAgain', 4],
    ]);
    const calls = execution.calls.filter(isOf('700002')).map(({ event }) => event);
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
    expect(fanOut.mailed()).toEqual([PAGES[0], ...REPORTS, ...STATEMENTS]);
  });

  it('because SES refuses its mail goes out in the second round, and no other mail goes out twice', async () => {
    const { faults } = fanOut.world.aws;
    const action = { kind: 'error', status: 400, code: 'MessageRejected' } as const;
    const key = /owner-700002@/;
    const execution = await start(TICK, (call) => {
      if (plansStatements(call)) faults.add({ service: 'ses', key, times: Infinity, action });
      if (call.event['kind'] === 'statement' && 'failedOf' in call.event) faults.clear();
    });
    expect(execution).toMatchObject({ status: 'SUCCEEDED' });
    expect(labels(execution).at(-1)).toEqual(['StatementsAgain', 4]);
    expect(execution.mapRuns[1]?.children).toContainEqual(
      expect.objectContaining({ status: 'FAILED', error: 'MailRefusedError' }),
    );
    expect(fanOut.mailed()).toEqual([PAGES[0], ...REPORTS, ...STATEMENTS]);
  });

  it('twice ends the execution as failed, names what failed, and stops no other statement', async () => {
    const execution = await start(TICK, (call) => {
      if (isOf('700002')(call)) throw failure('StoredObjectError');
    });
    const [, first, second] = execution.mapRuns;
    expect(execution.entered.slice(-3)).toEqual([
      'How does it end?',
      'Say how many statements failed',
      'Too many statements failed',
    ]);
    expect(execution).toMatchObject({
      status: 'FAILED',
      error: 'StatementsFailing',
      cause: `1 of 6 open statements still fail after the second round, 16.67 %; ${TOLERATED} % are tolerated. The next tick tries them again. Results: ${second?.manifestKey}`,
    });
    expect(first?.children).toMatchObject([{ status: 'FAILED', error: 'StoredObjectError' }]);
    expect(first?.children[0]?.cause).toContain('1 of 4 failed');
    // One by one, so that only what fails itself is counted.
    expect(second?.children).toHaveLength(4);
    const failing = second?.children.filter(({ status }) => status === 'FAILED');
    expect(failing).toMatchObject([{ error: 'StoredObjectError' }]);
    expect(failing?.[0]?.cause).toContain('1 of 1 failed');
    expect(failing?.[0]?.cause).toContain('700002');
    const others = STATEMENTS.filter((mail) => !mail.includes('700002'));
    expect(fanOut.mailed()).toEqual([PAGES[0], ...REPORTS, ...others]);

    // The next tick tries it again.
    expect(await startNext()).toMatchObject({ status: 'SUCCEEDED' });
    expect(fanOut.mailed()).toEqual([PAGES[0], ...REPORTS, ...STATEMENTS]);
  });

  it('does not hide that reports fail', async () => {
    fanOut.world.payments.behaviour.loginRefused = ['700003'];
    const execution = await start(TICK, (call) => {
      if (isOf('700002')(call)) throw failure('StoredObjectError');
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'MerchantsStillFailing' });
    // Of the third merchant a day is missing, so its statement waits.
    expect(fanOut.mailed()).toEqual([...REPORTS.slice(0, 2), STATEMENTS[0]]);
  });
});

describe('statements that cannot be planned', () => {
  it('end the execution as failed; the reports went out, and the next tick sends the statements', async () => {
    const { faults } = fanOut.world.aws;
    const action = { kind: 'error', status: 500, code: 'InternalError' } as const;
    const execution = await start(TICK, (call) => {
      if (plansStatements(call))
        faults.add({ operation: 'ListObjectsV2', key: /^statements\//, times: Infinity, action });
    });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'StatementsNotRun' });
    expect(execution.cause).toContain('StorageError');
    expect(fanOut.mailed()).toEqual(REPORTS);
    expect(fanOut.world.keys('plan/open/')).toEqual([]);

    faults.clear();
    expect(await startNext()).toMatchObject({ status: 'SUCCEEDED' });
    expect(fanOut.mailed()).toEqual([PAGES[0], ...REPORTS, ...STATEMENTS]);
  });
});

describe('an execution that is killed', () => {
  it('between the seal of a statement and its mail is finished by the next one, with one mail', async () => {
    const { world } = fanOut;
    const key = new RegExp(`^mail/period=${WEEK}/merchant=700002/`);
    world.aws.faults.add({ operation: 'PutObject', key, action: { kind: 'hang' } });
    const isDead = () =>
      world.aws.requests.some((request) => request.fault !== undefined && key.test(request.key ?? ''));
    // Nothing comes of the calls of a dead execution.
    void start(TICK, () => (isDead() ? new Promise(() => undefined) : undefined));
    await vi.waitFor(
      () => {
        expect(isDead()).toBe(true);
        expect(fanOut.mailed()).toHaveLength(3 + 2 + 1);
      },
      { timeout: 20_000 },
    );
    expect(sealed()).toContain(`statements/period=${WEEK}/merchant=700002/r0001.json`);
    expect(fanOut.mailed()).not.toContain(STATEMENTS[1]);

    const next = await startNext();
    expect(next).toMatchObject({ status: 'SUCCEEDED' });
    expect(next.calls.filter(isOf('700002'))).toHaveLength(1);
    expect(fanOut.mailed()).toEqual([...PAGES, ...REPORTS, ...STATEMENTS]);
    expect(sealed()).toHaveLength(5);
  });
});
