import { paginateDescribeStacks, CloudFormation } from '@aws-sdk/client-cloudformation';
import { paginateDescribeAlarms, CloudWatch } from '@aws-sdk/client-cloudwatch';
import { Lambda } from '@aws-sdk/client-lambda';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { paginateListSuppressedDestinations, SESv2 } from '@aws-sdk/client-sesv2';
import { STS } from '@aws-sdk/client-sts';
import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import { expect, test, onTestFinished } from 'vitest';
import { defined } from '#support/assertions/defined.ts';
import { clientSettings, runSandbox, type RunningSandbox } from '#support/aws/running-sandbox.ts';

/** A sandbox for one test, with the services that an operator's command calls and the SDK's clients for them. */
async function runOperatorSandbox() {
  const sandbox = await runSandbox(undefined, { operator: true });
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

test('Lambda gives null for no answer, and the error of a function in the payload of a good answer', async () => {
  const { clients, lambda } = await runOperatorSandbox();
  const FunctionName = 'daybook-local-plan';
  const ask = async () => {
    const { Payload, ...answer } = await clients.lambda.invoke({ FunctionName });
    const said: unknown = JSON.parse(Buffer.from(defined(Payload)).toString('utf8'));
    return { ...answer, said };
  };
  lambda.add(FunctionName, { invoke: () => Promise.resolve(undefined) });
  expect(await ask()).toMatchObject({ said: null });
  lambda.add(FunctionName, { invoke: () => Promise.reject(new RangeError('no merchant 700009')) });
  expect(await ask()).toMatchObject({
    StatusCode: 200,
    FunctionError: 'Unhandled',
    said: { errorType: 'RangeError', errorMessage: 'no merchant 700009', trace: [] },
  });
});
