import { Duration, SecretValue, Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from './checks.ts';
import { RunbookAlarm, type AlarmDestination } from './constructs/runbook-alarm.ts';
import type { Webhook } from './settings.ts';

interface EventsStackProps extends StackProps {
  webhooks: readonly Webhook[];
  destination: AlarmDestination;
}

/** What the address asks for. CloudFormation reads the secret when it deploys: no template has its values. */
function authorizationOf({ secret, signIn }: Webhook): events.Authorization {
  const value = (jsonField: string) => SecretValue.secretsManager(secret, { jsonField });
  switch (signIn.by) {
    case 'key':
      return events.Authorization.apiKey(signIn.header, value('key'));
    case 'basic':
      return events.Authorization.basic(value('username').unsafeUnwrap(), value('password'));
    case 'oauth':
      return events.Authorization.oauth({
        authorizationEndpoint: signIn.tokenUrl,
        httpMethod: events.HttpMethod.POST,
        clientId: value('clientId').unsafeUnwrap(),
        clientSecret: value('clientSecret'),
      });
  }
}

/** Webhooks without code of ours: EventBridge sends Daybook's events to addresses of other systems (docs/events.md). */
export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, props);
    const { webhooks, destination } = props;
    const { stage } = destination;
    const deadLetters = new sqs.Queue(this, 'DeadLetters', {
      queueName: `daybook-${stage}-webhooks-dead`,
      retentionPeriod: Duration.days(14),
      encryption: sqs.QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    acknowledge(deadLetters, 'AwsSolutions-SQS3', 'It is a dead-letter queue.');
    new RunbookAlarm(this, 'NotDelivered', {
      destination,
      name: 'webhooks-not-delivered',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5) }),
      impact: 'A system that is told by a webhook did not take events: it does not know what happened.',
      heading: 'A webhook is not delivered',
    });
    for (const webhook of webhooks) {
      const { name, url, of, types, rate, retries } = webhook;
      const named = `daybook-${stage}-${name}`;
      const address = new events.ApiDestination(this, `${name} address`, {
        apiDestinationName: named,
        connection: new events.Connection(this, `${name} connection`, {
          connectionName: named,
          authorization: authorizationOf(webhook),
        }),
        endpoint: url,
        rateLimitPerSecond: rate,
      });
      const whose =
        of === 'all' ? {} : 'groups' in of ? { group: of.groups } : { merchantCode: of.merchants };
      const tried = { retryAttempts: retries, maxEventAge: Duration.hours(24), deadLetterQueue: deadLetters };
      new events.Rule(this, `${name} rule`, {
        description: `What the webhook ${name} is told`,
        eventPattern: {
          source: ['daybook'],
          ...(types !== undefined && { detailType: types }),
          detail: { stage: [stage], ...whose },
        },
        targets: [new targets.ApiDestination(address, tried)],
      });
    }
  }
}
