import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  ListMapRunsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stateMachineArn } from '#bin/local/serving/stage-names.ts';
import { startCommandStage } from '#support/command/command-stage.ts';
import type { CommandStage } from '#support/command/command-stage.ts';
import { DAY } from '#support/world/daybook-world.ts';
import { defined } from '#support/assertions/defined.ts';

let stage: CommandStage;
let client: SFNClient;

beforeAll(async () => {
  stage = await startCommandStage({ merchants: 3 });
  await stage.world.putEmptyHistories();
  for (const merchantCode of ['700001', '700002', '700003'])
    stage.world.payments.data.seedDay(merchantCode, DAY, { invoices: 4, refunds: 0 });
  client = new SFNClient();
});

afterAll(async () => {
  client.destroy();
  await stage.close();
});

const start = async (machine: 'reports' | 'alerts', input: object) => {
  const command = new StartExecutionCommand({
    stateMachineArn: stateMachineArn(machine),
    input: JSON.stringify(input),
  });
  return defined((await client.send(command)).executionArn);
};

async function ended(executionArn: string) {
  for (;;) {
    const execution = await client.send(new DescribeExecutionCommand({ executionArn }));
    if (execution.status !== 'RUNNING') return execution;
    await wait(20);
  }
}

async function roundsOf(executionArn: string) {
  const { mapRuns = [] } = await client.send(new ListMapRunsCommand({ executionArn }));
  const rounds = await Promise.all(
    mapRuns.map(({ mapRunArn }) => client.send(new DescribeMapRunCommand({ mapRunArn }))),
  );
  return new Map(rounds.map((round) => [/\/(\w+):/.exec(defined(round.mapRunArn))?.[1], round.itemCounts]));
}

test('an execution plans, reports every merchant, and tries those that failed once more', async () => {
  stage.world.payments.behaviour.faults.add({
    merchantCode: '700002',
    times: Infinity,
    action: { kind: 'status', status: 403 },
  });
  const executionArn = await start('reports', { kind: 'daily', day: DAY, send: false });
  const { status, error, cause } = await ended(executionArn);
  expect({ status, error }).toEqual({ status: 'FAILED', error: 'MerchantsStillFailing' });
  const rounds = await roundsOf(executionArn);
  expect([...rounds.keys()].sort()).toEqual(['FirstRound', 'SecondRound']);
  expect(rounds.get('FirstRound')).toMatchObject({ total: 3, succeeded: 2, failed: 1, resultsWritten: 3 });
  expect(rounds.get('SecondRound')).toMatchObject({ total: 1, succeeded: 0, failed: 1 });
  const manifestKey = defined(/Results: (\S+)$/.exec(cause ?? '')?.[1]);
  const manifest: unknown = JSON.parse(await stage.world.text(manifestKey));
  expect(manifest).toMatchObject({ DestinationBucket: 'daybook-data' });
  const sealed = stage.world.keys(`days/day=${DAY}/`);
  expect(sealed.map((key) => /merchant=(\d+)/.exec(key)?.[1])).toEqual(['700001', '700003']);
});

test('the machine of the alert checks runs, too, and each machine refuses the events of the other', async () => {
  expect(await ended(await start('alerts', { kind: 'alert' }))).toMatchObject({ status: 'SUCCEEDED' });
  expect(await ended(await start('reports', { kind: 'alert' }))).toMatchObject({
    status: 'FAILED',
    error: 'WrongKind',
  });
});

test('an execution that is stopped runs no further function', async () => {
  const executionArn = await start('reports', { kind: 'daily', from: '2026-11-01', to: '2026-11-19' });
  for (;;) {
    const counts = (await roundsOf(executionArn)).get('FirstRound');
    if ((counts?.running ?? 0) > 0) break;
    await wait(5);
  }
  await client.send(new StopExecutionCommand({ executionArn, cause: 'enough' }));
  expect(await ended(executionArn)).toMatchObject({ status: 'ABORTED', cause: 'enough' });
  const begun = stage.invocations.length;
  await wait(1_000);
  expect(stage.invocations).toHaveLength(begun);
});
