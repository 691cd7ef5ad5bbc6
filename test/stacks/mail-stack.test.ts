import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const mail = template('Mail');

describe('how Daybook reaches people', () => {
  it('signs for the domain, and proves it in its zone where that is known', () => {
    mail.hasResourceProperties('AWS::SES::EmailIdentity', {
      EmailIdentity: 'daybook.example.com',
      ConfigurationSetAttributes: { ConfigurationSetName: Match.anyValue() },
    });
    mail.resourceCountIs('AWS::Route53::RecordSet', 3);
    mail.allResourcesProperties('AWS::Route53::RecordSet', {
      Type: 'CNAME',
      HostedZoneId: 'Z0EXAMPLE0DAYBOOK',
    });
  });

  it('prints the records where somebody else keeps the zone', async () => {
    const dev = (await synthesise('dev')).template('Mail');
    dev.resourceCountIs('AWS::Route53::RecordSet', 0);
    expect(Object.keys(dev.findOutputs('*')).filter((name) => name.startsWith('Dkim'))).toHaveLength(3);
  });

  it('lets SES tell of every step of a mail, over the bus where the rule of mail-events listens', () => {
    mail.hasResourceProperties('AWS::SES::ConfigurationSet', {
      Name: 'daybook-prod',
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
    mail.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      EventDestination: {
        Enabled: true,
        EventBridgeDestination: { EventBusArn: Match.anyValue() },
        MatchingEventTypes: [
          'send',
          'delivery',
          'deliveryDelay',
          'bounce',
          'complaint',
          'reject',
          'renderingFailure',
        ],
      },
    });
    template('Functions').hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.ses'],
        detail: { mail: { tags: { 'ses:configuration-set': [Match.anyValue()] } } },
      },
      Targets: [{ DeadLetterConfig: { Arn: Match.anyValue() }, RetryPolicy: Match.anyValue() }],
    });
  });

  it('has an encrypted topic that takes nothing without TLS', () => {
    mail.hasResourceProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() });
    mail.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      },
    });
    mail.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'operations@example.com',
    });
  });

  it('lets functions send to recipients of the sandbox of SES without sending from them', async () => {
    template('Functions').resourceCountIs('AWS::Lambda::Function', 6);
    const functionsOfDev = (await synthesise('dev')).template('Functions');
    functionsOfDev.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'ses:SendRawEmail',
            Resource: Match.arrayWith([
              {
                'Fn::Join': [
                  '',
                  Match.arrayWith([Match.stringLikeRegexp(':identity/operator@example.com$')]),
                ],
              },
            ]),
            Condition: { StringEquals: { 'ses:FromAddress': 'reports@dev.daybook.example.com' } },
          }),
        ]),
      },
    });
  });
});
