import {
  DescribeExecutionCommand,
  DescribeMapRunCommand,
  ListExecutionsCommand,
  ListMapRunsCommand,
  ListStateMachinesCommand,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { ExecutionControl, ExecutionEnd } from '#sandbox/aws/index.ts';
import { anyOf } from '#support/assertions/any-of.ts';
import { defined } from '#support/assertions/defined.ts';
import { runOperatorSandbox } from '#support/aws/running-operator-sandbox.ts';

const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:daybook-local-reports';

/** A state machine that works until the test ends it. */
function heldMachine() {
  const ends = Promise.withResolvers<ExecutionEnd>();
  const begun = Promise.withResolvers<{ input: unknown; control: ExecutionControl }>();
  return {
    end: ends.resolve,
    begun: begun.promise,
    run: (input: unknown, control: ExecutionControl) => {
      begun.resolve({ input, control });
      return ends.promise;
    },
  };
}

test('an execution runs in the background, and ends with the output of its machine', async () => {
  const { clients, executions } = await runOperatorSandbox();
  const machine = heldMachine();
  executions.machines.set(stateMachineArn, machine.run);
  const started = await clients.sfn.send(
    new StartExecutionCommand({ stateMachineArn, name: 'one', input: '{"kind":"daily"}' }),
  );
  expect(started).toMatchObject({
    executionArn: 'arn:aws:states:us-east-1:000000000000:execution:daybook-local-reports:one',
    startDate: anyOf(Date),
  });
  const describe = () =>
    clients.sfn.send(new DescribeExecutionCommand({ executionArn: defined(started.executionArn) }));
  expect(await describe()).toMatchObject({ status: 'RUNNING', input: '{"kind":"daily"}', name: 'one' });
  expect((await machine.begun).input).toEqual({ kind: 'daily' });
  machine.end({ status: 'SUCCEEDED', output: { done: 3 } });
  await wait(1);
  expect(await describe()).toMatchObject({
    status: 'SUCCEEDED',
    output: '{"done":3}',
    startDate: started.startDate,
    stopDate: anyOf(Date),
  });
});

test('an alias starts its machine, and the execution has the name of the machine', async () => {
  const { clients, executions } = await runOperatorSandbox();
  executions.machines.set(stateMachineArn, () => Promise.resolve({ status: 'SUCCEEDED', output: {} }));
  const live = `${stateMachineArn}:live`;
  const { executionArn } = await clients.sfn.send(
    new StartExecutionCommand({ stateMachineArn: live, name: 'one' }),
  );
  expect(executionArn).toBe('arn:aws:states:us-east-1:000000000000:execution:daybook-local-reports:one');
  for (const each of [live, stateMachineArn]) {
    const listed = await clients.sfn.send(new ListExecutionsCommand({ stateMachineArn: each }));
    expect(listed.executions).toMatchObject([{ executionArn }]);
  }
});

test('a machine that fails gives the error and the cause, and so does one that throws', async () => {
  const { clients, executions } = await runOperatorSandbox();
  const failing = { status: 'FAILED', error: 'MerchantsStillFailing', cause: '1 of 2' } as const;
  executions.machines.set(stateMachineArn, () => Promise.resolve(failing));
  const ended = async () => {
    const { executionArn } = await clients.sfn.send(new StartExecutionCommand({ stateMachineArn }));
    await wait(5);
    return clients.sfn.send(new DescribeExecutionCommand({ executionArn }));
  };
  expect(await ended()).toMatchObject(failing);
  executions.machines.set(stateMachineArn, () => Promise.reject(new TypeError('no definition')));
  expect(await ended()).toMatchObject({ status: 'FAILED', error: 'TypeError', cause: 'no definition' });
});

test('the children of a map run are counted while they run', async () => {
  const { clients, executions } = await runOperatorSandbox();
  const machine = heldMachine();
  executions.machines.set(stateMachineArn, machine.run);
  const { executionArn } = await clients.sfn.send(new StartExecutionCommand({ stateMachineArn }));
  const { control } = await machine.begun;
  const map = control.mapBegins('FirstRound', 4);
  for (let child = 0; child < 3; child += 1) map.childBegins();
  map.childEnds('SUCCEEDED');
  map.childEnds('FAILED');
  const { mapRuns } = await clients.sfn.send(new ListMapRunsCommand({ executionArn }));
  expect(mapRuns).toMatchObject([{ executionArn, mapRunArn: map.arn, stateMachineArn }]);
  const describe = () => clients.sfn.send(new DescribeMapRunCommand({ mapRunArn: map.arn }));
  const counts = { total: 4, pending: 1, running: 1, succeeded: 1, failed: 1, timedOut: 0, aborted: 0 };
  expect(await describe()).toMatchObject({
    status: 'RUNNING',
    itemCounts: { ...counts, resultsWritten: 0 },
    executionCounts: counts,
  });
  map.ends();
  expect(await describe()).toMatchObject({ status: 'SUCCEEDED', itemCounts: { resultsWritten: 2 } });
  machine.end({ status: 'SUCCEEDED', output: {} });
});

test('an execution can be stopped: its machine hears of it, and what it answers later is not used', async () => {
  const { clients, executions } = await runOperatorSandbox();
  const machine = heldMachine();
  executions.machines.set(stateMachineArn, machine.run);
  const { executionArn } = await clients.sfn.send(new StartExecutionCommand({ stateMachineArn }));
  const { control } = await machine.begun;
  const map = control.mapBegins('FirstRound', 2);
  expect(control.signal.aborted).toBe(false);
  const stop = new StopExecutionCommand({ executionArn, cause: 'by hand' });
  expect(await clients.sfn.send(stop)).toMatchObject({ stopDate: anyOf(Date) });
  expect(control.signal.aborted).toBe(true);
  machine.end({ status: 'SUCCEEDED', output: {} });
  await wait(1);
  expect(await clients.sfn.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
    status: 'ABORTED',
    cause: 'by hand',
  });
  expect(await clients.sfn.send(new DescribeMapRunCommand({ mapRunArn: map.arn }))).toMatchObject({
    status: 'ABORTED',
    itemCounts: { aborted: 2, pending: 0 },
  });
});

test('executions are listed newest first, by status, page by page', async () => {
  const { clients, executions } = await runOperatorSandbox();
  const machine = heldMachine();
  executions.machines.set(stateMachineArn, () =>
    Promise.resolve({ status: 'SUCCEEDED', output: {} } as const),
  );
  for (const name of ['a', 'b', 'c'])
    await clients.sfn.send(new StartExecutionCommand({ stateMachineArn, name }));
  await wait(5);
  executions.machines.set(stateMachineArn, machine.run);
  await clients.sfn.send(new StartExecutionCommand({ stateMachineArn, name: 'd' }));
  const list = async (more: object) => {
    const page = await clients.sfn.send(new ListExecutionsCommand({ stateMachineArn, ...more }));
    return { names: page.executions?.map(({ name }) => name), nextToken: page.nextToken };
  };
  expect(await list({})).toEqual({ names: ['d', 'c', 'b', 'a'], nextToken: undefined });
  expect(await list({ statusFilter: 'RUNNING' })).toEqual({ names: ['d'], nextToken: undefined });
  const { names, nextToken } = await list({ maxResults: 3 });
  expect(names).toEqual(['d', 'c', 'b']);
  expect(await list({ maxResults: 3, nextToken })).toEqual({ names: ['a'], nextToken: undefined });
  machine.end({ status: 'SUCCEEDED', output: {} });
});

test('what does not exist, and an input that is not JSON, are refused as the service does it', async () => {
  const { clients, executions } = await runOperatorSandbox();
  const executionArn = 'arn:aws:states:us-east-1:000000000000:execution:daybook-local-reports:none';
  const mapRunArn = 'arn:aws:states:us-east-1:000000000000:mapRun:daybook-local-reports/FirstRound:none';
  await expect(clients.sfn.send(new StartExecutionCommand({ stateMachineArn }))).rejects.toMatchObject({
    name: 'StateMachineDoesNotExist',
    message: `State Machine Does Not Exist: '${stateMachineArn}'`,
    $metadata: { httpStatusCode: 400 },
  });
  const { sfn } = clients;
  const refusals: [Promise<unknown>, string][] = [
    [sfn.send(new DescribeExecutionCommand({ executionArn })), 'ExecutionDoesNotExist'],
    [sfn.send(new StopExecutionCommand({ executionArn })), 'ExecutionDoesNotExist'],
    [sfn.send(new ListMapRunsCommand({ executionArn })), 'ExecutionDoesNotExist'],
    [sfn.send(new DescribeMapRunCommand({ mapRunArn })), 'ResourceNotFound'],
    [sfn.send(new ListExecutionsCommand({ stateMachineArn })), 'StateMachineDoesNotExist'],
    [sfn.send(new ListStateMachinesCommand({})), 'UnknownOperationException'],
  ];
  await Promise.all(refusals.map(([refused, name]) => expect(refused).rejects.toMatchObject({ name })));
  executions.machines.set(stateMachineArn, () => Promise.resolve({ status: 'SUCCEEDED', output: {} }));
  await expect(
    clients.sfn.send(new StartExecutionCommand({ stateMachineArn, input: '{' })),
  ).rejects.toMatchObject({ name: 'InvalidExecutionInput' });
  const named = new StartExecutionCommand({ stateMachineArn, name: 'one', input: '{"a":1}' });
  await clients.sfn.send(named);
  await wait(5);
  await expect(clients.sfn.send(named)).rejects.toMatchObject({ name: 'ExecutionAlreadyExists' });
});
