import { SNSClient, paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import { fine, orFine, warning, wrong } from '../check.ts';
import type { Check, Finding } from '../check.ts';
import { deployAnew } from './functions.ts';
import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import type { MetricAlarm } from '@aws-sdk/client-cloudwatch';

const PENDING = 'PendingConfirmation';

/** The operators' topic: does somebody get notices and alarms? */
export const topic: Check = {
  name: 'Topic',
  looksAt: ({ stage }) => stage.topicArn,
  look: async ({ stage: { topicArn, mail, lines }, client }) => {
    const of = { client: client(SNSClient) };
    const pages = await Array.fromAsync(paginateListSubscriptionsByTopic(of, { TopicArn: topicArn }));
    const subscriptions = pages.flatMap(({ Subscriptions = [] }) => Subscriptions);
    const subscribe = lines.aws(
      ...['sns', 'subscribe', '--topic-arn', topicArn],
      ...['--protocol', 'email', '--notification-endpoint', '<address>'],
    );
    const pending = subscriptions
      .filter(({ SubscriptionArn }) => SubscriptionArn === PENDING)
      .map(({ Endpoint = 'a subscriber' }) =>
        warning(
          `${Endpoint} has not confirmed: no alarm reaches it`,
          `open the mail "AWS Notification - Subscription Confirmation", or send it again: ${subscribe}`,
        ),
      );
    const confirmed = subscriptions.length - pending.length;
    if (confirmed > 0) return [...pending, fine(`${confirmed} confirmed`)];
    const byMail = 'nobody is subscribed: alarms reach nobody, notices go by mail only';
    const nobody = 'nobody is subscribed, and ops.recipients is empty: nobody is notified of failures';
    const hasMail = mail.opsRecipients.length > 0;
    return [...pending, hasMail ? warning(byMail, subscribe) : wrong(nobody, subscribe)];
  },
};

/** The alarms of the stage: which of them ring and what that means, and do they notify the topic that the stage has now? */
export const alarms: Check = {
  name: 'Alarms',
  looksAt: ({ stage }) => `daybook-${stage.name}-…`,
  look: async ({ stage: { name, topicArn, lines }, client }) => {
    const of = { client: client(CloudWatchClient) };
    const input = { AlarmNamePrefix: `daybook-${name}-` };
    const pages = await Array.fromAsync(paginateDescribeAlarms(of, input));
    const all = pages.flatMap(({ MetricAlarms = [] }) => MetricAlarms);
    // A stage "prod" and a stage "prod-eu" have alarms with the same beginning. The topic is the stage's own, now or before.
    const stale = all.filter(({ AlarmActions = [] }) =>
      AlarmActions.some((action) => action !== topicArn && isTopicOf(name, action)),
    );
    const own = all.filter(
      ({ AlarmActions = [] }) =>
        AlarmActions.length === 0 ||
        AlarmActions.some((action) => action === topicArn || isTopicOf(name, action)),
    );
    if (own.length === 0)
      return [warning('the stage has none', lines.cdk('deploy', `Daybook-${name}-Monitoring`))];
    const silent = own.filter(({ ActionsEnabled }) => ActionsEnabled === false);
    const findings = own.filter(rings).map(ringingFinding);
    if (stale.length > 0) {
      const names = stale.map(({ AlarmName }) => AlarmName).join(' ');
      const older = `${stale.length} notify an older topic than ${topicArn}: nobody hears of them (${names})`;
      findings.push(wrong(older, deployAnew(lines)));
    }
    if (silent.length > 0) {
      const names = silent.flatMap(({ AlarmName }) => AlarmName ?? []);
      const enable = lines.aws('cloudwatch', 'enable-alarm-actions', '--alarm-names', ...names);
      findings.push(warning(`${silent.length} notify nobody: their actions are disabled`, enable));
    }
    return orFine(findings, `none of ${own.length} rings`);
  },
};

/** Whether the stack `Mail` of the stage made the topic: CloudFormation begins the name with the stack's. */
function isTopicOf(stage: string, arn: string): boolean {
  return (arn.split(':').at(-1) ?? '').startsWith(`Daybook-${stage}-Mail-`);
}

/** An alarm of runs that did not happen rings when it has no data. Before the first run it has none either, but notifies nobody. */
function rings({ StateValue, InsufficientDataActions = [] }: MetricAlarm): boolean {
  return StateValue === 'ALARM' || (StateValue === 'INSUFFICIENT_DATA' && InsufficientDataActions.length > 0);
}

/** A description says what the alarm means, then names the runbook. */
function ringingFinding({ AlarmName = 'an alarm', AlarmDescription = '' }: MetricAlarm): Finding {
  const [meaning = '', runbook] = AlarmDescription.split(/\s*Runbook:\s*/);
  const found = meaning === '' ? `${AlarmName} rings` : `${AlarmName} rings: ${meaning}`;
  return wrong(found, runbook === undefined ? 'look it up in docs/runbook.md' : `read ${runbook}`);
}
