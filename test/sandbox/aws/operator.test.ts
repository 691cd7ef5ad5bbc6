import { paginateDescribeStacks, CloudFormation } from '@aws-sdk/client-cloudformation';
import { paginateDescribeAlarms, CloudWatch } from '@aws-sdk/client-cloudwatch';
import { Lambda } from '@aws-sdk/client-lambda';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { paginateListSuppressedDestinations, SESv2 } from '@aws-sdk/client-sesv2';
import { STS } from '@aws-sdk/client-sts';
import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import { describe, expect, test, onTestFinished } from 'vitest';
import { defined } from '#support/assertions/defined.ts';
import type { AwsSandboxOptions } from '#sandbox/aws/index.ts';
import { clientSettings, runSandbox, type RunningSandbox } from '#support/aws/running-sandbox.ts';

interface RunningOperatorSandbox extends RunningSandbox {
  clients: RunningSandbox['clients'] & ReturnType<typeof operatorClients>;
}

/** A sandbox for one test, with the services that an operator's command calls and the SDK's clients for them. */
async function runOperatorSandbox(
  options: Omit<AwsSandboxOptions, 'directory' | 'operator'> = {},
): Promise<RunningOperatorSandbox> {
  const sandbox = await runSandbox(undefined, { ...options, operator: true });
  const clients = operatorClients(sandbox);
  onTestFinished(() => {
    for (const client of Object.values(clients)) client.destroy();
  });
  return { ...sandbox, clients: { ...sandbox.clients, ...clients } };
}

function operatorClients(sandbox: RunningSandbox) {
  const settings = (service: string) => ({
    ...clientSettings(sandbox),
    endpoint: defined(sandbox.environment[`AWS_ENDPOINT_URL_${service}`], service),
  });
  return {
    cloudFormation: new CloudFormation(settings('CLOUDFORMATION')),
    cloudWatch: new CloudWatch(settings('CLOUDWATCH')),
    scheduler: new Scheduler(settings('SCHEDULER')),
    sts: new STS(settings('STS')),
    sesV2: new SESv2(settings('SESV2')),
    lambda: new Lambda(settings('LAMBDA')),
  };
}

/*
 * What the operator's services do beyond what test/contract/aws/operator-calls.test.ts holds against moto, too, and what the
 * tests of the command (test/bin/daybook) show of their answers.
 */

test('an operation that a service does not have is refused', async () => {
  const { clients } = await runOperatorSandbox();
  const refusals: [Promise<unknown>, string][] = [
    [clients.cloudFormation.listStacks({}), 'InvalidAction'],
    [clients.cloudWatch.listMetrics({}), 'UnknownOperationException'],
    [clients.lambda.listFunctions({}), 'UnknownOperationException'],
    [clients.scheduler.listScheduleGroups({}), 'UnknownOperationException'],
    [clients.sts.getSessionToken({}), 'InvalidAction'],
    [clients.sesV2.listEmailIdentities({}), 'UnknownOperationException'],
  ];
  await Promise.all(refusals.map(([refused, name]) => expect(refused).rejects.toMatchObject({ name })));
});

test('lists are given page by page', async () => {
  const { alarms, clients, mailSettings, notices, stacks } = await runOperatorSandbox();
  const names = ['a', 'b', 'c'];
  const TopicArn = 'arn:aws:sns:us-east-1:000000000000:daybook-ops';
  for (const name of names) {
    alarms.set(name, { state: 'OK' });
    mailSettings.suppress(name, 'BOUNCE');
    stacks.set(name, { outputs: {} });
  }
  for (let n = 0; n < 150; n += 1)
    notices.subscriptions.push({
      topicArn: TopicArn,
      protocol: 'email',
      endpoint: `${n}`,
      confirmed: n < 149,
    });
  const flat = async <Page, Item>(pages: AsyncIterable<Page>, items: (page: Page) => Item[] | undefined) =>
    (await Array.fromAsync(pages)).flatMap((page) => items(page) ?? []);
  const listed = await flat(
    paginateDescribeAlarms({ client: clients.cloudWatch, pageSize: 1 }, {}),
    (page) => page.MetricAlarms,
  );
  expect(listed.map(({ AlarmName }) => AlarmName)).toEqual(names);
  const suppressed = await flat(
    paginateListSuppressedDestinations({ client: clients.sesV2, pageSize: 2 }, {}),
    (page) => page.SuppressedDestinationSummaries,
  );
  expect(suppressed.map(({ EmailAddress }) => EmailAddress)).toEqual(names);
  const described = await flat(
    paginateDescribeStacks({ client: clients.cloudFormation }, {}),
    (page) => page.Stacks,
  );
  expect(described.map(({ StackName }) => StackName)).toEqual(names);
  const subscribed = await flat(
    paginateListSubscriptionsByTopic({ client: clients.sns }, { TopicArn }),
    (page) => page.Subscriptions,
  );
  expect(subscribed).toHaveLength(150);
  expect(subscribed.at(-1)).toMatchObject({ SubscriptionArn: 'PendingConfirmation' });
});

test('a stack has its outputs and its status', async () => {
  const { clients, stacks } = await runOperatorSandbox();
  const StackName = 'Daybook-local-Data';
  stacks.set(StackName, { outputs: { Other: 'a & b <c>' }, status: 'UPDATE_ROLLBACK_COMPLETE' });
  const { Stacks } = await clients.cloudFormation.describeStacks({ StackName });
  expect(Stacks).toMatchObject([
    {
      StackName,
      StackStatus: 'UPDATE_ROLLBACK_COMPLETE',
      Outputs: [{ OutputKey: 'Other', OutputValue: 'a & b <c>' }],
    },
  ]);
});

test('an address that is not on the suppression list is not found', async () => {
  const { clients, requests } = await runOperatorSandbox();
  const EmailAddress = 'owner+daybook@example.com';
  await expect(clients.sesV2.getSuppressedDestination({ EmailAddress })).rejects.toMatchObject({
    name: 'NotFoundException',
    message: `Email address ${EmailAddress} does not exist on your suppression list.`,
  });
  expect(requests).toMatchObject([{ service: 'sesV2', key: EmailAddress, status: 404 }]);
});

describe('Lambda', () => {
  const NAME = 'daybook-local-plan';
  const payloadOf = (bytes: Uint8Array | undefined): unknown =>
    JSON.parse(Buffer.from(defined(bytes)).toString('utf8'));

  test('passes an event to the function, which learns how it was called, and gives its answer', async () => {
    const { clients, lambda } = await runOperatorSandbox();
    const { arn } = lambda.add(NAME, {
      invoke: (event, calledAs) => Promise.resolve({ said: 'أهلا', event, calledAs }),
    });
    const ask = async (FunctionName: string, Payload = '') => {
      const answer = await clients.lambda.invoke({ FunctionName, Payload });
      expect(answer.FunctionError).toBeUndefined();
      return payloadOf(answer.Payload);
    };
    const event = { kind: 'daily' };
    expect(await ask(NAME, JSON.stringify(event))).toEqual({ said: 'أهلا', event, calledAs: NAME });
    expect(await ask(`${arn}:7`)).toEqual({ said: 'أهلا', event: {}, calledAs: `${arn}:7` });
  });

  test('gives null for no answer, and the error of a function in the payload of a good answer', async () => {
    const { clients, lambda } = await runOperatorSandbox();
    lambda.add(NAME, { invoke: () => Promise.resolve(undefined) });
    const ask = () => clients.lambda.invoke({ FunctionName: NAME });
    expect(payloadOf((await ask()).Payload)).toBeNull();
    lambda.add(NAME, { invoke: () => Promise.reject(new RangeError('no merchant 700009')) });
    const failed = await ask();
    expect(failed).toMatchObject({ StatusCode: 200, FunctionError: 'Unhandled' });
    expect(payloadOf(failed.Payload)).toEqual({
      errorType: 'RangeError',
      errorMessage: 'no merchant 700009',
      trace: [],
    });
  });

  test.each([
    ['an event that is not JSON', { Payload: '{' }, 'InvalidRequestContentException'],
    ['another way of calling', { InvocationType: 'Event' }, 'InvalidParameterValueException'],
  ] as const)('refuses %s', async (_, input, name) => {
    const { clients, lambda } = await runOperatorSandbox();
    lambda.add(NAME, { invoke: () => Promise.resolve('never') });
    const ask = clients.lambda.invoke({ FunctionName: NAME, ...input });
    await expect(ask).rejects.toMatchObject({ name, $metadata: { httpStatusCode: 400 } });
  });
});
