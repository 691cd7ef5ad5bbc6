import { CfnOutput, Fn, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { bareAddress } from '#registry/mail-address.ts';
import { heldByConsumers } from './removal.ts';
import { StackOutputs } from './constructs/stack-outputs.ts';
import type { Settings } from './settings.ts';
import * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as kms from 'aws-cdk-lib/aws-kms';
import * as route53 from 'aws-cdk-lib/aws-route53';
import * as ses from 'aws-cdk-lib/aws-ses';
import * as sns from 'aws-cdk-lib/aws-sns';
import * as subscriptions from 'aws-cdk-lib/aws-sns-subscriptions';

export interface MailStackProps extends StackProps {
  settings: Settings;
  key: kms.IKey;
}

const EVENTS = [
  ses.EmailSendingEvent.SEND,
  ses.EmailSendingEvent.DELIVERY,
  ses.EmailSendingEvent.DELIVERY_DELAY,
  ses.EmailSendingEvent.BOUNCE,
  ses.EmailSendingEvent.COMPLAINT,
  ses.EmailSendingEvent.REJECT,
  ses.EmailSendingEvent.RENDERING_FAILURE,
];

/** The ways to reach people: the domain that mails come from, and the topic for the operators. */
export class MailStack extends Stack {
  readonly identity: ses.EmailIdentity;
  readonly configurationSet: ses.ConfigurationSet;
  readonly topic: sns.Topic;

  constructor(scope: Construct, id: string, { settings, key, ...props }: MailStackProps) {
    super(scope, id, props);
    const { domain } = settings.mail;

    this.configurationSet = new ses.ConfigurationSet(this, 'ConfigurationSet', {
      configurationSetName: `daybook-${settings.stage}`,
      tlsPolicy: ses.ConfigurationSetTlsPolicy.REQUIRE,
      reputationMetrics: true,
      suppressionReasons: ses.SuppressionReasons.BOUNCES_AND_COMPLAINTS,
    });
    this.configurationSet.addEventDestination('Events', {
      destination: ses.EventDestination.eventBus(
        events.EventBus.fromEventBusName(this, 'DefaultBus', 'default'),
      ),
      events: EVENTS,
    });

    this.identity = new ses.EmailIdentity(this, 'Identity', {
      identity: ses.Identity.domain(domain),
      configurationSet: this.configurationSet,
      feedbackForwarding: false,
    });
    this.#publishDkim(settings.mail.hostedZone);

    this.topic = new sns.Topic(this, 'Topic', {
      displayName: `Daybook ${settings.stage}`,
      masterKey: key,
      enforceSSL: true,
    });
    this.topic.addToResourcePolicy(
      new iam.PolicyStatement({
        sid: 'Alarms',
        principals: [new iam.ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    for (const address of settings.ops.subscribers) {
      this.topic.addSubscription(new subscriptions.EmailSubscription(address));
    }
    heldByConsumers(this.topic);
    this.#giveOutputs(settings);
  }

  #giveOutputs({ mail, ops }: Settings): void {
    const { identity, configurationSet, topic } = this;
    new StackOutputs(this, {
      MailFrom: { value: bareAddress(mail.from), description: 'The address that all mails come from' },
      Identity: {
        value: identity.emailIdentityName,
        description: 'The identity in SES that mails are signed for',
      },
      ConfigurationSet: {
        value: configurationSet.configurationSetName,
        description: 'The configuration set in SES that all mails are sent with',
      },
      TopicArn: { value: topic.topicArn, description: 'The topic of notices and alarms for the operators' },
      OpsRecipients: {
        value: ops.recipients.length === 0 ? undefined : ops.recipients.join(','),
        description: 'Who gets notices by mail, with commas between the addresses',
      },
    });
  }

  /** The deploy writes the records if the domain's zone is in Route 53. Otherwise they are outputs, for the people who manage the zone. */
  #publishDkim(hostedZone: Settings['mail']['hostedZone']): void {
    this.identity.dkimRecords.forEach(({ name, value }, index) => {
      if (hostedZone === undefined) {
        new CfnOutput(this, `Dkim${index + 1}`, {
          description: 'CNAME record that proves the mail domain',
          value: Fn.join(' CNAME ', [name, value]),
        });
        return;
      }
      // Only CloudFormation knows the names. They are complete: CDK's construct for a record would append the zone's name again.
      new route53.CfnRecordSet(this, `DkimRecord${index + 1}`, {
        hostedZoneId: hostedZone.id,
        name,
        type: 'CNAME',
        ttl: '1800',
        resourceRecords: [value],
      });
    });
  }
}
