import {
  GetAccountSettingsCommand,
  GetFunctionConfigurationCommand,
  InvokeCommand,
  ListFunctionsCommand,
} from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { runOperatorSandbox } from '#support/aws/running-operator-sandbox.ts';
import { defined } from '#support/assertions/defined.ts';

const NAME = 'daybook-local-plan';

function payloadOf(bytes: Uint8Array | undefined): unknown {
  return JSON.parse(Buffer.from(defined(bytes)).toString('utf8'));
}

test('Invoke passes the event to the function and gives its answer', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  const events: unknown[] = [];
  lambda.add(NAME, {
    invoke: (event) => {
      events.push(event);
      return Promise.resolve({ said: 'أهلا', count: 2 });
    },
  });
  const event = { kind: 'daily', merchants: ['700001'] };
  const { FunctionError, Payload, StatusCode } = await clients.lambda.send(
    new InvokeCommand({ FunctionName: NAME, Payload: JSON.stringify(event) }),
  );
  expect({ FunctionError, StatusCode }).toEqual({ FunctionError: undefined, StatusCode: 200 });
  expect(payloadOf(Payload)).toEqual({ said: 'أهلا', count: 2 });
  expect(events).toEqual([event]);
});

test('a function is also found by its ARN, and an event may be left out', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  const { arn } = lambda.add(NAME, { invoke: (event) => Promise.resolve({ event }) });
  const { Payload } = await clients.lambda.send(new InvokeCommand({ FunctionName: arn }));
  expect(payloadOf(Payload)).toEqual({ event: {} });
});

test('a function learns with which version it was called', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  const { arn } = lambda.add(NAME, { invoke: (_, calledAs) => Promise.resolve({ calledAs }) });
  const { Payload } = await clients.lambda.send(new InvokeCommand({ FunctionName: `${arn}:7` }));
  expect(payloadOf(Payload)).toEqual({ calledAs: `${arn}:7` });
});

test('an answer of undefined is null, as the service writes it', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  lambda.add(NAME, { invoke: () => Promise.resolve(undefined) });
  const { Payload } = await clients.lambda.send(new InvokeCommand({ FunctionName: NAME }));
  expect(payloadOf(Payload)).toBeNull();
});

test('the error of a function is in the payload, and the request succeeds', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  lambda.add(NAME, {
    invoke: () =>
      Promise.reject(Object.assign(new Error('no merchant 700009'), { name: 'UnknownMerchantError' })),
  });
  const answer = await clients.lambda.send(new InvokeCommand({ FunctionName: NAME, Payload: '{}' }));
  expect(answer).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
  expect(payloadOf(answer.Payload)).toEqual({
    errorType: 'UnknownMerchantError',
    errorMessage: 'no merchant 700009',
    trace: [],
  });
});

test('a function that does not exist is a ResourceNotFoundException', async () => {
  const { clients } = await runOperatorSandbox();
  const refusal = {
    name: 'ResourceNotFoundException',
    message: `Function not found: arn:aws:lambda:us-east-1:000000000000:function:${NAME}`,
    $metadata: { httpStatusCode: 404 },
  };
  await expect(clients.lambda.send(new InvokeCommand({ FunctionName: NAME }))).rejects.toMatchObject(refusal);
  await expect(
    clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: NAME })),
  ).rejects.toMatchObject(refusal);
});

test('an event that is not JSON, and a way of calling that the sandbox does not have, are refused', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  lambda.add(NAME, { invoke: () => Promise.resolve('never') });
  await expect(
    clients.lambda.send(new InvokeCommand({ FunctionName: NAME, Payload: '{' })),
  ).rejects.toMatchObject({ name: 'InvalidRequestContentException', $metadata: { httpStatusCode: 400 } });
  await expect(
    clients.lambda.send(new InvokeCommand({ FunctionName: NAME, InvocationType: 'Event' })),
  ).rejects.toMatchObject({ name: 'InvalidParameterValueException' });
  await expect(clients.lambda.send(new ListFunctionsCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});

test('GetFunctionConfiguration gives the environment', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  const { arn } = lambda.add(NAME, {
    environment: { DATA_BUCKET: 'daybook' },
    invoke: () => Promise.resolve(null),
  });
  expect(
    await clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: NAME })),
  ).toMatchObject({
    FunctionName: NAME,
    FunctionArn: arn,
    Environment: { Variables: { DATA_BUCKET: 'daybook' } },
    State: 'Active',
  });
});

test('GetAccountSettings gives the concurrency that a test has set', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  lambda.concurrentExecutions = 10;
  const { AccountLimit } = await clients.lambda.send(new GetAccountSettingsCommand({}));
  expect(AccountLimit).toMatchObject({ ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 });
});

test('a fault applies to a function by its name', async () => {
  const { clients, faults, lambda } = await runOperatorSandbox();
  lambda.add(NAME, { invoke: () => Promise.resolve(1) });
  faults.add({
    service: 'lambda',
    operation: 'Invoke',
    key: /plan$/,
    action: { kind: 'error', status: 429, code: 'TooManyRequestsException', message: 'Rate Exceeded.' },
  });
  await expect(clients.lambda.send(new InvokeCommand({ FunctionName: NAME }))).rejects.toMatchObject({
    name: 'TooManyRequestsException',
    message: 'Rate Exceeded.',
  });
});
