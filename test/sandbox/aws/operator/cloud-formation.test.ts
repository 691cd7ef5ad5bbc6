import {
  DescribeStacksCommand,
  ListStacksCommand,
  paginateDescribeStacks,
} from '@aws-sdk/client-cloudformation';
import { expect, test } from 'vitest';
import { runOperatorSandbox } from '#support/aws/running-operator-sandbox.ts';
import { anyOf } from '#support/assertions/any-of.ts';

const StackName = 'Daybook-local-Data';

test('DescribeStacks gives the outputs of a stack by its name', async () => {
  const { clients, stacks } = await runOperatorSandbox();
  stacks.set(StackName, { outputs: { BucketName: 'daybook', Other: 'a & b <c>' } });
  stacks.set('Daybook-local-Mail', { outputs: {} });
  const { Stacks } = await clients.cloudFormation.send(new DescribeStacksCommand({ StackName }));
  expect(Stacks).toEqual([
    {
      StackName,
      StackId: `arn:aws:cloudformation:us-east-1:000000000000:stack/${StackName}/00000000-0000-0000-0000-000000000000`,
      CreationTime: anyOf(Date),
      StackStatus: 'CREATE_COMPLETE',
      Outputs: [
        { OutputKey: 'BucketName', OutputValue: 'daybook' },
        { OutputKey: 'Other', OutputValue: 'a & b <c>' },
      ],
    },
  ]);
});

test('a stack may have another status, and no outputs', async () => {
  const { clients, stacks } = await runOperatorSandbox();
  stacks.set(StackName, { outputs: {}, status: 'UPDATE_ROLLBACK_COMPLETE' });
  const { Stacks } = await clients.cloudFormation.send(new DescribeStacksCommand({ StackName }));
  expect(Stacks).toMatchObject([{ StackStatus: 'UPDATE_ROLLBACK_COMPLETE', Outputs: [] }]);
});

test('a stack that does not exist is a ValidationError', async () => {
  const { clients } = await runOperatorSandbox();
  await expect(
    clients.cloudFormation.send(new DescribeStacksCommand({ StackName: 'Daybook-nope-Data' })),
  ).rejects.toMatchObject({
    name: 'ValidationError',
    message: 'Stack with id Daybook-nope-Data does not exist',
    $metadata: { httpStatusCode: 400 },
  });
});

test('without a name all stacks are listed', async () => {
  const { clients, stacks } = await runOperatorSandbox();
  for (const name of ['A', 'B']) stacks.set(name, { outputs: {} });
  const names: unknown[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client: clients.cloudFormation }, {}))
    names.push(...Stacks.map((stack) => stack.StackName));
  expect(names).toEqual(['A', 'B']);
});

test('another operation is refused', async () => {
  const { clients } = await runOperatorSandbox();
  await expect(clients.cloudFormation.send(new ListStacksCommand({}))).rejects.toMatchObject({
    name: 'InvalidAction',
  });
});
