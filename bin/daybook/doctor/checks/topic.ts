import { paginateListSubscriptionsByTopic } from '@aws-sdk/client-sns';
import type { Subscription } from '@aws-sdk/client-sns';
import type { Stage } from '../../stage/stage.ts';
import { fine, warning, wrong } from '../finding.ts';
import type { Check } from '../check.ts';
import type { Finding } from '../finding.ts';
import type { CheckedStage } from '../checked-stage.ts';

const PENDING = 'PendingConfirmation';

/** The operators' topic: does somebody get notices and alarms? */
export const topic: Check = {
  name: 'Topic',
  looksAt: ({ stage }) => stage.topicArn,
  look: async ({ stage, clients }: CheckedStage) => {
    const subscriptions: Subscription[] = [];
    const pages = paginateListSubscriptionsByTopic({ client: clients.sns() }, { TopicArn: stage.topicArn });
    for await (const { Subscriptions = [] } of pages) subscriptions.push(...Subscriptions);
    return subscriptionFindings(subscriptions, stage);
  },
};

function subscriptionFindings(
  subscriptions: readonly Subscription[],
  { topicArn, mail: { opsRecipients: recipients }, lines }: Stage,
): Finding[] {
  const pending = subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn === PENDING);
  const confirmed = subscriptions.length - pending.length;
  const subscribe = lines.aws(
    ...['sns', 'subscribe', '--topic-arn', topicArn],
    ...['--protocol', 'email', '--notification-endpoint', '<address>'],
  );
  const findings = pending.map(({ Endpoint = 'a subscriber' }) =>
    warning(
      `${Endpoint} has not confirmed: no alarm reaches it`,
      `open the mail "AWS Notification - Subscription Confirmation", or send it again: ${subscribe}`,
    ),
  );
  if (confirmed > 0) return [...findings, fine(`${confirmed} confirmed`)];
  if (recipients.length > 0) {
    return [
      ...findings,
      warning('nobody is subscribed: alarms reach nobody, notices go by mail only', subscribe),
    ];
  }
  return [
    ...findings,
    wrong('nobody is subscribed, and ops.recipients is empty: nobody is notified of failures', subscribe),
  ];
}
