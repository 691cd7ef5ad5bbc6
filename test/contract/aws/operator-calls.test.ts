import { GetConfigurationSetCommand, GetEmailIdentityCommand } from '@aws-sdk/client-sesv2';
import { differs } from '#support/aws-contract/known-differences.ts';
import { operatorUnderTest } from '#support/aws-contract/operator-under-test.ts';
import { anyOf, textWith } from '#support/assertions/index.ts';

/*
 * What the operator's command asks AWS, where both know the call. moto has no suppression list, no account and no event
 * destinations of SES v2, no account settings of Lambda. Its Lambda needs Docker to invoke, and
 * its CloudFormation needs many more packages.
 */
const { account, clients, mark, schedules } = await operatorUnderTest();
const { cloudWatch, lambda, scheduler, sesV2, sns } = clients;

test('a function that does not exist is refused with its ARN', async () => {
  const FunctionName = `daybook-${mark}-plan`;
  const refusal = {
    name: 'ResourceNotFoundException',
    message: textWith(`:function:${FunctionName}`),
    $metadata: { httpStatusCode: 404 },
  };
  const read = lambda.getFunctionConfiguration({ FunctionName });
  await expect(read).rejects.toMatchObject(refusal);
  await expect(lambda.invoke({ FunctionName })).rejects.toMatchObject(refusal);
});

test('an identity and a configuration set of SES are found by name', async () => {
  const EmailIdentity = `${mark}.example.com`;
  await account.domain(EmailIdentity);
  await account.configurationSet(mark);
  expect(await sesV2.getEmailIdentity({ EmailIdentity })).toMatchObject({
    IdentityType: 'DOMAIN',
    VerifiedForSendingStatus: anyOf(Boolean),
    DkimAttributes: { Status: anyOf(String) },
  });
  const found = await sesV2.getConfigurationSet({ ConfigurationSetName: mark });
  expect(found.ConfigurationSetName).toBe(mark);
  const missing = { name: 'NotFoundException', $metadata: { httpStatusCode: 404 } };
  const identity = new GetEmailIdentityCommand({ EmailIdentity: `none-${EmailIdentity}` });
  await expect(sesV2.send(identity)).rejects.toMatchObject(missing);
  const set = new GetConfigurationSetCommand({ ConfigurationSetName: `none-${mark}` });
  await expect(sesV2.send(set)).rejects.toMatchObject({
    ...missing,
    message: `Configuration set <none-${mark}> does not exist.`,
  });
});

test('alarms are found by the beginning of their names, and by state', async () => {
  const prefix = `daybook-${mark}-`;
  await account.alarm(`${prefix}b`, 'ALARM', 'it rings');
  await account.alarm(`${prefix}a`, 'OK', 'all is well');
  const list = async (more: object) =>
    (await cloudWatch.describeAlarms({ AlarmNamePrefix: prefix, ...more })).MetricAlarms;
  expect((await list({}))?.map(({ AlarmName }) => AlarmName).sort()).toEqual([`${prefix}a`, `${prefix}b`]);
  const ringing = { AlarmName: `${prefix}b`, StateValue: 'ALARM', StateReason: 'it rings' };
  const found = await list({ StateValue: 'ALARM' });
  expect(found).toHaveLength(differs('stateOfAlarmsIsIgnoredBesideAPrefix') ? 2 : 1);
  expect(found).toContainEqual(expect.objectContaining({ ...ringing, ActionsEnabled: true }));
});

test('a schedule is found by its name and group', async () => {
  const Name = `daily-${mark}`;
  await account.schedule(Name, 'DISABLED');
  const { group: GroupName, expression, target } = schedules;
  expect(await scheduler.getSchedule({ Name, GroupName })).toMatchObject({
    Name,
    GroupName,
    State: 'DISABLED',
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: 'UTC',
    Target: { Arn: target },
  });
  await expect(scheduler.getSchedule({ Name: `none-${mark}`, GroupName })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: `Schedule none-${mark} does not exist.`,
    $metadata: { httpStatusCode: 404 },
  });
});

test('the subscriptions of a topic have an ARN once they are confirmed', async () => {
  const TopicArn = await account.subscribedTopic(`ops-${mark}`, 'ops@example.com');
  const { Subscriptions } = await sns.listSubscriptionsByTopic({ TopicArn });
  expect(Subscriptions).toMatchObject([
    { TopicArn, Protocol: 'email', Endpoint: 'ops@example.com', SubscriptionArn: textWith(`${TopicArn}:`) },
  ]);
  const none = sns.listSubscriptionsByTopic({ TopicArn: `${TopicArn}-none` });
  await expect(none).rejects.toMatchObject({ name: 'NotFoundException', message: 'Topic does not exist' });
});
