import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import type { Subscription } from '@aws-sdk/client-sns';
import type { Stage } from '../../stage/stage.ts';
import { fine, warning, wrong } from '../check.ts';
import type { Check, Finding, CheckedStage } from '../check.ts';
import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import type { MetricAlarm } from '@aws-sdk/client-cloudwatch';

const PENDING = 'PendingConfirmation';

/** The operators' topic: does somebody get notices and alarms? */
export const topic: Check = {
  name: 'Topic',
  looksAt: ({ stage }) => stage.topicArn,
  look: async ({ stage: { topicArn, mail, lines }, clients }: CheckedStage) => {
    const subscriptions: Subscription[] = [];
    const pages = paginateListSubscriptionsByTopic({ client: clients.sns() }, { TopicArn: topicArn });
    for await (const { Subscriptions = [] } of pages) subscriptions.push(...Subscriptions);
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
    const nobody =
      mail.opsRecipients.length > 0
        ? warning('nobody is subscribed: alarms reach nobody, notices go by mail only', subscribe)
        : wrong(
            'nobody is subscribed, and ops.recipients is empty: nobody is notified of failures',
            subscribe,
          );
    return [...pending, nobody];
  },
};

/** The alarms of the stage: which of them ring and what that means, and do they notify the topic that the stage has now? */
export const alarms: Check = {
  name: 'Alarms',
  looksAt: ({ stage }) => `daybook-${stage.name}-…`,
  look: async ({ stage, clients }: CheckedStage) => {
    const all: MetricAlarm[] = [];
    const pages = paginateDescribeAlarms(
      { client: clients.cloudWatch() },
      { AlarmNamePrefix: `daybook-${stage.name}-` },
    );
    for await (const { MetricAlarms = [] } of pages) all.push(...MetricAlarms);
    // A stage "prod" and a stage "prod-eu" have alarms with the same beginning. The topic is the stage's own, now or before.
    const stale = all.filter(({ AlarmActions = [] }) =>
      AlarmActions.some((action) => action !== stage.topicArn && isTopicOf(stage.name, action)),
    );
    const own = all.filter(
      (alarm) =>
        (alarm.AlarmActions ?? []).length === 0 ||
        alarm.AlarmActions?.includes(stage.topicArn) === true ||
        stale.includes(alarm),
    );
    return alarmFindings(own, stale, stage);
  },
};

/** Whether the stack `Mail` of the stage made the topic: CloudFormation begins the name with the stack's. */
function isTopicOf(stage: string, arn: string): boolean {
  return (arn.split(':').at(-1) ?? '').startsWith(`Daybook-${stage}-Mail-`);
}

function staleFinding(stale: readonly MetricAlarm[], { lines, topicArn }: Stage): Finding[] {
  if (stale.length === 0) return [];
  const names = stale.map(({ AlarmName }) => AlarmName).join(' ');
  return [
    wrong(
      `${stale.length} notify an older topic than ${topicArn}: nobody hears of them (${names})`,
      // CloudFormation looks at what is really there only with it: the templates are the same.
      lines.cdk('deploy', '--all', '--revert-drift'),
    ),
  ];
}

function alarmFindings(all: readonly MetricAlarm[], stale: readonly MetricAlarm[], stage: Stage): Finding[] {
  const deploy = stage.lines.cdk('deploy', `Daybook-${stage.name}-Monitoring`);
  if (all.length === 0) return [warning('the stage has none', deploy)];
  const ringing = all.filter(rings).map(ringingFinding);
  const silent = all.filter(({ ActionsEnabled }) => ActionsEnabled === false);
  const quiet =
    silent.length === 0
      ? []
      : [
          warning(
            `${silent.length} notify nobody: their actions are disabled`,
            stage.lines.aws(
              ...['cloudwatch', 'enable-alarm-actions', '--alarm-names'],
              ...silent.flatMap(({ AlarmName }) => AlarmName ?? []),
            ),
          ),
        ];
  const findings = [...ringing, ...staleFinding(stale, stage), ...quiet];
  return findings.length > 0 ? findings : [fine(`none of ${all.length} rings`)];
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
