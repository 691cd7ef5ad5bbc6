import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stateMachineArn } from '#bin/local/serving/local-stage.ts';
import { startCommandStage } from '#support/command/command-stage.ts';
import type { CommandStage } from '#support/command/command-stage.ts';
import { defined } from '#support/assertions/defined.ts';

let stage: CommandStage;
let client: SFNClient;

beforeAll(async () => {
  stage = await startCommandStage({ merchants: 3 });
  await stage.world.putEmptyHistories();
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
    if (stage.invocations.some(({ name }) => name === 'daily-report')) break;
    await wait(5);
  }
  await client.send(new StopExecutionCommand({ executionArn, cause: 'enough' }));
  expect(await ended(executionArn)).toMatchObject({ status: 'ABORTED', cause: 'enough' });
  const begun = stage.invocations.length;
  await wait(500);
  expect(stage.invocations).toHaveLength(begun);
});
