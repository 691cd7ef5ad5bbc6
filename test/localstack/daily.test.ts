import {
  CreateStateMachineCommand,
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { startInterpreter } from '#sandbox/localstack/interpreter.ts';
import { definitionForLocalStack } from '#sandbox/step-functions/definition-for-localstack.ts';
import type { Call } from '#sandbox/step-functions/execution.ts';
import { defined } from '#support/assertions/defined.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { startFanOut } from '#support/fan-out/fan-out-world.ts';
import type { RunningFanOut } from '#support/fan-out/fan-out-world.ts';

const EVENT = { kind: 'daily', scheduledTime: '2026-11-21T03:00:00Z' };
const DAY = '2026-11-20';
const CODES = Array.from({ length: 20 }, (_, index) => String(700_001 + index));
const FAIL_ALWAYS = ['700004', '700008'];
const FAILS_ONCE = '700012';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function fanOutOfTwenty(): Promise<RunningFanOut> {
  const fanOut = await startFanOut('daily', {
    merchants: CODES.length,
    operator: true,
    defaults: { lookbackDays: [], reportAt: '06:00' },
  });
  closing.push(() => fanOut.world.close());
  for (const code of CODES) fanOut.world.payments.data.seedDay(code, DAY, { invoices: 6, refunds: 1 });
  fanOut.world.clock.setTo('2026-11-21T03:00:20Z');
  return fanOut;
}

/** Two merchants fail for ever, with an error that is retried and with one that is not; one fails once. */
function faults(): (call: Call) => void {
  let failed = false;
  return ({ event }) => {
    const code = String(event['merchantCode']);
    if (FAIL_ALWAYS.includes(code))
      throw Object.assign(new Error('in a test'), {
        name: code === FAIL_ALWAYS[0] ? 'ServerError' : 'LoginRefusedError',
      });
    if (code !== FAILS_ONCE || failed) return;
    failed = true;
    throw Object.assign(new Error('in a test'), { name: 'LoginRefusedError' });
  };
}

/** The calls in one order, without what differs between any two executions. */
function comparable(calls: readonly Call[]): string[] {
  return calls
    .map((call) => JSON.stringify(call).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|-[0-9a-f]{8}(?=[."])/g, '*'))
    .sort();
}

it("LocalStack's interpreter makes the same calls as the runner of this repository, and ends the same", async () => {
  const ours = await fanOutOfTwenty();
  const expected = await ours.start(EVENT, faults());
  expect(expected).toMatchObject({ status: 'FAILED', error: 'MerchantsStillFailing' });
  const mailed = ours.mailed();
  expect(mailed).toHaveLength(18);
  await closing.pop()?.();

  const fanOut = await fanOutOfTwenty();
  const { environment, lambda } = fanOut.world.aws;
  const calls: Call[] = [];
  const before = faults();
  for (const functionName of ['plan', 'dailyreport'])
    lambda.add(functionName, {
      invoke: (event) => {
        const call = { functionName, event: recordOf(event) };
        calls.push(call);
        before(call);
        return fanOut.invoke(call);
      },
    });
  const interpreter = await startInterpreter({
    python: defined(process.env['DAYBOOK_LOCALSTACK'], 'LocalStack: npm run test:localstack installs it'),
    directory: '.local/localstack/run',
    s3: defined(environment['AWS_ENDPOINT_URL_S3'], 'S3'),
    lambda: defined(environment['AWS_ENDPOINT_URL_LAMBDA'], 'Lambda'),
  });
  closing.push(interpreter.close);
  const states = new SFNClient({
    endpoint: interpreter.url,
    region: 'eu-central-1',
    // Otherwise the client puts "sync-" or "states." before the name of the host.
    disableHostPrefix: true,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const { stateMachineArn } = await states.send(
    new CreateStateMachineCommand({
      name: 'daily',
      definition: definitionForLocalStack(fanOut.definition),
      roleArn: 'arn:aws:iam::000000000000:role/states',
    }),
  );
  const { executionArn } = await states.send(
    new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(EVENT) }),
  );
  const look = () => states.send(new DescribeExecutionCommand({ executionArn }));
  let execution = await look();
  while (execution.status === 'RUNNING') {
    await wait(500);
    execution = await look();
  }

  const { status, error, cause } = execution;
  const withoutKeys = (text = '') => text.replace(/Results: .*/, '');
  expect({ status, error, cause: withoutKeys(cause) }).toEqual({
    status: expected.status,
    error: expected.error,
    cause: withoutKeys(expected.cause),
  });
  expect(comparable(calls)).toEqual(comparable(expected.calls));
  expect(fanOut.mailed()).toEqual(mailed);
}, 300_000);
