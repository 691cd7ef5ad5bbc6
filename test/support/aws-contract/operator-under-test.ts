import { randomBytes } from 'node:crypto';
import { CloudWatch } from '@aws-sdk/client-cloudwatch';
import { Lambda } from '@aws-sdk/client-lambda';
import { Scheduler } from '@aws-sdk/client-scheduler';
import { SESv2 } from '@aws-sdk/client-sesv2';
import { SNS } from '@aws-sdk/client-sns';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

const endpoint = process.env['DAYBOOK_AWS_ENDPOINT'];
const target = 'arn:aws:lambda:us-east-1:000000000000:function:f';
const expression = 'rate(1 hour)';
const group = 'daybook';

function clientsAt(endpointOf: (service: string) => string) {
  const settings = (service: string) => ({
    endpoint: endpointOf(service),
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });
  return {
    cloudWatch: new CloudWatch(settings('CLOUDWATCH')),
    lambda: new Lambda(settings('LAMBDA')),
    scheduler: new Scheduler(settings('SCHEDULER')),
    sesV2: new SESv2(settings('SESV2')),
    sns: new SNS(settings('SNS')),
  };
}

/** What a person has set up in an account. Each is made in the way of the AWS under test. */
function motoAccount({ cloudWatch, scheduler, sesV2, sns }: ReturnType<typeof clientsAt>) {
  let hasGroup = false;
  return {
    domain: (EmailIdentity: string) => sesV2.createEmailIdentity({ EmailIdentity }),
    configurationSet: (ConfigurationSetName: string) =>
      sesV2.createConfigurationSet({ ConfigurationSetName }),
    alarm: async (AlarmName: string, StateValue: 'OK' | 'ALARM', StateReason: string) => {
      const rule = { Period: 60, EvaluationPeriods: 1, Threshold: 1, Statistic: 'Sum' } as const;
      const metric = { Namespace: 'Daybook', MetricName: 'Missing' };
      const ComparisonOperator = 'GreaterThanThreshold';
      await cloudWatch.putMetricAlarm({ AlarmName, ...metric, ...rule, ComparisonOperator });
      await cloudWatch.setAlarmState({ AlarmName, StateValue, StateReason });
    },
    schedule: async (Name: string, State: 'ENABLED' | 'DISABLED') => {
      if (!hasGroup) await scheduler.createScheduleGroup({ Name: group }).catch(() => undefined);
      hasGroup = true;
      const RoleArn = 'arn:aws:iam::123456789012:role/r';
      await scheduler.createSchedule({
        Name,
        State,
        GroupName: group,
        ScheduleExpression: expression,
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { Arn: target, RoleArn },
      });
    },
    /** A topic with a confirmed subscriber. @returns its ARN */
    subscribedTopic: async (Name: string, Endpoint: string) => {
      const { TopicArn } = await sns.createTopic({ Name });
      await sns.subscribe({ TopicArn, Protocol: 'email', Endpoint });
      return defined(TopicArn);
    },
  };
}

async function startLoopback() {
  const sandbox = await startAwsSandbox({ directory: newDirectory(), operator: true });
  const topics = new Set<string>();
  sandbox.notices.topics = topics;
  const account = {
    domain: (name: string) => sandbox.mailSettings.identities.set(name, {}),
    configurationSet: (name: string) => sandbox.mailSettings.configurationSets.set(name, {}),
    alarm: (name: string, state: 'OK' | 'ALARM', reason: string) =>
      sandbox.alarms.set(name, { state, reason }),
    schedule: (name: string, state: 'ENABLED' | 'DISABLED') =>
      sandbox.schedules.set(name, { group, state, expression, target }),
    subscribedTopic: (name: string, endpoint: string) => {
      const topicArn = `arn:aws:sns:us-east-1:000000000000:${name}`;
      topics.add(topicArn);
      sandbox.notices.subscriptions.push({ topicArn, protocol: 'email', endpoint, confirmed: true });
      return topicArn;
    },
  };
  return { account, environment: sandbox.environment, close: () => sandbox.close() };
}

/** The services that an operator's command calls: of our own sandbox, or of moto when its address is given. */
export async function operatorUnderTest() {
  const own = endpoint === undefined ? await startLoopback() : undefined;
  const clients = clientsAt(
    (service) => endpoint ?? defined(own?.environment[`AWS_ENDPOINT_URL_${service}`]),
  );
  afterAll(async () => {
    for (const client of Object.values(clients)) client.destroy();
    await own?.close();
  });
  return {
    clients,
    account: own?.account ?? motoAccount(clients),
    schedules: { group, expression, target },
    /** A text that is in the names of this file of tests only. */
    mark: randomBytes(4).toString('hex'),
  };
}
