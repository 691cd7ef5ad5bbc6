import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { WEEKDAYS } from '#records/day/business-day.ts';
import { optionsOf } from '#sandbox/localstack/clients.ts';
import type { Call } from '#sandbox/step-functions/execution.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { startFanOut } from '#support/fan-out/fan-out-world.ts';
import type { RunningFanOut } from '#support/fan-out/fan-out-world.ts';
import { deployStage } from '#support/localstack/deployed-stage.ts';

const REGISTRY = 'config/merchants.json';
const TOLERATED = 5;

const MINUTE = 60_000;
const CODES = Array.from({ length: 20 }, (_, index) => String(700_001 + index));
const FAIL_ALWAYS = ['700004', '700008'];
const FAILS_ONCE = '700012';
const STATEMENT_FAILS_ONCE = '700016';

// The functions have the machine's clock, so the reports are due at its last tick. In Kuwait it is three hours later.
const TICK = Math.floor(Date.now() / (15 * MINUTE)) * 15 * MINUTE;
const [DUE_ON = '', DUE_AT = ''] = new Date(TICK + 180 * MINUTE).toISOString().split('T');
const DAY = new Date(Date.parse(DUE_ON) - 24 * 60 * MINUTE).toISOString().slice(0, 10);
// Weeks begin on the day of the tick, so the statement of the week that has just ended is due at it, too.
const WEEK_START = defined(WEEKDAYS[new Date(DUE_ON).getUTCDay()], 'a weekday');
const WEEKLY = { on: WEEK_START, at: DUE_AT.slice(0, 5) };
const GROUP = {
  name: 'shops',
  merchants: CODES.slice(0, 3),
  recipients: ['boss@group.example'],
  daily: true,
};
const EVENT = { kind: 'daily', scheduledTime: new Date(TICK).toISOString() };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function fanOutOfTwenty(): Promise<RunningFanOut> {
  const fanOut = await startFanOut(
    'daily',
    {
      merchants: CODES.length,
      operator: true,
      defaults: {
        lookbackDays: [],
        reportAt: DUE_AT.slice(0, 5),
        reportFrom: DAY,
        weekStart: WEEK_START,
        statements: { weekly: WEEKLY },
      },
    },
    { toleratedFailurePercentage: TOLERATED },
  );
  closing.push(() => fanOut.world.close());
  await fanOut.world.putRegistry({}, {}, { groups: [GROUP] });
  for (const code of CODES) fanOut.world.payments.data.seedDay(code, DAY, { invoices: 6, refunds: 1 });
  fanOut.world.clock.setTo(Date.now());
  return fanOut;
}

/** Two merchants fail for ever, with an error that is retried and with one that is not; a report and a statement fail once. */
function faults(): (call: Call) => void {
  const failed = new Set<string>();
  return ({ functionName, event }) => {
    const code = String(event['merchantCode']);
    if (FAIL_ALWAYS.includes(code))
      throw Object.assign(new Error('in a test'), {
        name: code === FAIL_ALWAYS[0] ? 'ServerError' : 'LoginRefusedError',
      });
    const failsOnce = functionName === 'statement' ? STATEMENT_FAILS_ONCE : FAILS_ONCE;
    if (code !== failsOnce || failed.has(functionName)) return;
    failed.add(functionName);
    throw Object.assign(new Error('in a test'), { name: 'LoginRefusedError' });
  };
}

/** Texts in one order, without what differs between any two executions. */
function withoutIds(texts: readonly string[]): string[] {
  return texts
    .map((text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(\d{8}T\d{6}Z)?-[0-9a-f]{8}(?=[."])/g, '*'))
    .sort();
}

/** Objects without the notes of changes: what is noted within ten minutes has one name. */
function written(keys: readonly string[]): string[] {
  return withoutIds(keys.filter((key) => !key.startsWith('changes/')));
}

function comparable(calls: readonly Call[]): string[] {
  return withoutIds(calls.map((call) => JSON.stringify(call)));
}

async function execute(url: string, stateMachineArn: string) {
  const states = new SFNClient(optionsOf(url));
  const { executionArn } = await states.send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(EVENT) }),
  );
  for (;;) {
    const execution = await states.send(new DescribeExecutionCommand({ executionArn }));
    if (execution.status !== 'RUNNING') return execution;
    await wait(500);
  }
}

it('what LocalStack deploys makes the same calls as the runner of this repository, and ends the same', async () => {
  const ours = await fanOutOfTwenty();
  const expected = await ours.start(EVENT, faults());
  expect(expected).toMatchObject({ status: 'FAILED', error: 'MerchantsStillFailing' });
  const mailed = ours.mailed();
  // Reports and statements of those that do not fail, and the page of the group.
  expect(mailed).toHaveLength(18 + 18 + 1);
  expect(expected.mapRuns.map(({ label, children }) => [label, children.length])).toEqual([
    ['FirstRound', 20],
    ['SecondRound', 3],
    ['Statements', 19],
    ['StatementsAgain', 1],
  ]);
  const keys = written(ours.world.keys());
  await closing.pop()?.();

  const fanOut = await fanOutOfTwenty();
  const { world } = fanOut;
  const { url, output, functions, close } = await deployStage(world, TOLERATED);
  closing.push(close);
  const names = {
    [output('Functions', 'PlanVersion')]: 'plan',
    [output('Functions', 'DailyReportVersion')]: 'dailyreport',
    [output('Functions', 'StatementVersion')]: 'statement',
  };
  const s3 = new S3Client({ ...optionsOf(url), forcePathStyle: true });
  const Bucket = output('Data', 'BucketName');
  await s3.send(new PutObjectCommand({ Bucket, Key: REGISTRY, Body: await world.text(REGISTRY) }));
  const calls: Call[] = [];
  const before = faults();
  for (const name of ['plan', 'daily-report', 'statement'])
    world.aws.lambda.add(`daybook-dev-${name}`, {
      invoke: (event, calledAs) => {
        const call = { functionName: defined(names[calledAs], calledAs), event: recordOf(event) };
        calls.push(call);
        before(call);
        return functions.invoke(calledAs, event);
      },
    });
  const execution = await execute(url, output('Schedules', 'ReportsStateMachine'));

  const { status, error, cause } = execution;
  const withoutKeys = (text = '') => text.replace(/Results: .*/, '');
  expect({ status, error, cause: withoutKeys(cause) }).toEqual({
    status: expected.status,
    error: expected.error,
    cause: withoutKeys(expected.cause),
  });
  expect(comparable(calls)).toEqual(comparable(expected.calls));
  expect(fanOut.mailed()).toEqual(mailed);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
  expect(written(Contents.map(({ Key = '' }) => Key))).toEqual(keys);
}, 600_000);
