import { GetMetricDataCommand, ListMetricsCommand, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import type { DescribeAlarmsCommandInput } from '@aws-sdk/client-cloudwatch';
import {
  GetScheduleCommand,
  ListScheduleGroupsCommand,
  paginateListSchedules,
} from '@aws-sdk/client-scheduler';
import type { ListSchedulesCommandInput } from '@aws-sdk/client-scheduler';
import { ListSubscriptionsByTopicCommand, paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import { expect, test } from 'vitest';
import { runOperatorSandbox } from '#support/aws/running-operator-sandbox.ts';

test('DescribeAlarms gives alarms by name, prefix and state, page by page', async () => {
  const { alarms, clients } = await runOperatorSandbox();
  const since = new Date('2026-11-21T03:30:00.000Z');
  alarms.set('daybook-local-watch-silent', { state: 'ALARM', reason: 'no data', description: 'why', since });
  alarms.set('daybook-local-plan-errors', { state: 'OK', actionsEnabled: false });
  alarms.set('other', { state: 'ALARM' });
  const list = async (query: DescribeAlarmsCommandInput) => {
    const found = [];
    const pages = paginateDescribeAlarms({ client: clients.cloudWatch, pageSize: 1 }, query);
    for await (const { MetricAlarms = [] } of pages) found.push(...MetricAlarms);
    return found;
  };
  const own = await list({ AlarmNamePrefix: 'daybook-local-' });
  expect(own).toMatchObject([
    { AlarmName: 'daybook-local-plan-errors', StateValue: 'OK', ActionsEnabled: false },
    {
      AlarmName: 'daybook-local-watch-silent',
      StateValue: 'ALARM',
      StateReason: 'no data',
      AlarmDescription: 'why',
      StateTransitionedTimestamp: since,
      ActionsEnabled: true,
    },
  ]);
  expect((await list({ StateValue: 'ALARM' })).map(({ AlarmName }) => AlarmName)).toEqual([
    'daybook-local-watch-silent',
    'other',
  ]);
  expect(await list({ AlarmNames: ['other', 'none'] })).toMatchObject([{ AlarmName: 'other' }]);
  await expect(clients.cloudWatch.send(new ListMetricsCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});

test('GetMetricData gives the values of each metric, and none of one that has no data', async () => {
  const { clients, metrics } = await runOperatorSandbox();
  metrics.set('AWS/States ThrottledEvents APIName=StartExecution', [4, 2]);
  const query = (Id: string, Value: string) => ({
    Id,
    MetricStat: {
      Metric: {
        Namespace: 'AWS/States',
        MetricName: 'ThrottledEvents',
        Dimensions: [{ Name: 'APIName', Value }],
      },
      Period: 86_400,
      Stat: 'Sum',
    },
  });
  const { MetricDataResults } = await clients.cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date('2026-11-14T00:00:00Z'),
      EndTime: new Date('2026-11-21T00:00:00Z'),
      MetricDataQueries: [query('starts', 'StartExecution'), query('stops', 'StopExecution')],
    }),
  );
  expect(MetricDataResults).toMatchObject([
    { Id: 'starts', Values: [4, 2] },
    { Id: 'stops', Values: [] },
  ]);
});

test('schedules are read by name and group, and listed page by page', async () => {
  const { clients, schedules } = await runOperatorSandbox();
  const target = 'arn:aws:states:us-east-1:000000000000:stateMachine:daybook-local-reports';
  const expression = 'cron(0/15 * * * ? *)';
  const group = 'daybook-local';
  schedules.set('daily', { group, state: 'ENABLED', expression, timeZone: 'Asia/Kuwait', target });
  schedules.set('sweep', { group, state: 'DISABLED', expression, target });
  schedules.set('other', { state: 'ENABLED', expression, target });
  const get = (Name: string, GroupName?: string) =>
    clients.scheduler.send(new GetScheduleCommand({ Name, GroupName }));
  expect(await get('daily', group)).toMatchObject({
    Name: 'daily',
    GroupName: group,
    State: 'ENABLED',
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: 'Asia/Kuwait',
    Target: { Arn: target },
  });
  expect(await get('other')).toMatchObject({ GroupName: 'default' });
  await expect(get('daily')).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Schedule daily does not exist.',
    $metadata: { httpStatusCode: 404 },
  });
  const list = async (query: ListSchedulesCommandInput) => {
    const names = [];
    for await (const { Schedules = [] } of paginateListSchedules(
      { client: clients.scheduler, pageSize: 1 },
      query,
    ))
      names.push(...Schedules.map(({ Name }) => Name));
    return names;
  };
  expect(await list({ GroupName: group })).toEqual(['daily', 'sweep']);
  expect(await list({ State: 'ENABLED' })).toEqual(['daily', 'other']);
  expect(await list({ NamePrefix: 'sw' })).toEqual(['sweep']);
  await expect(clients.scheduler.send(new ListScheduleGroupsCommand({}))).rejects.toMatchObject({
    name: 'UnknownOperationException',
  });
});

test('ListSubscriptionsByTopic says which subscriptions are not confirmed, page by page', async () => {
  const { clients, notices } = await runOperatorSandbox();
  const TopicArn = 'arn:aws:sns:us-east-1:000000000000:daybook-ops';
  for (let n = 0; n < 150; n += 1) {
    notices.subscriptions.push({
      topicArn: TopicArn,
      protocol: 'email',
      endpoint: `ops-${n}@example.com`,
      confirmed: n !== 149,
    });
  }
  const found = [];
  for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic(
    { client: clients.sns },
    { TopicArn },
  ))
    found.push(...Subscriptions);
  expect(found).toHaveLength(150);
  expect(found[0]).toMatchObject({
    TopicArn,
    Protocol: 'email',
    Endpoint: 'ops-0@example.com',
    SubscriptionArn: `${TopicArn}:00000000-0000-0000-0000-000000000000`,
  });
  expect(found.at(-1)).toMatchObject({ SubscriptionArn: 'PendingConfirmation' });
  notices.topics = new Set();
  const ofTopic = clients.sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  await expect(ofTopic).rejects.toMatchObject({ name: 'NotFoundException' });
});
