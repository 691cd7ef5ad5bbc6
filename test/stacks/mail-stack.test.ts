import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesise } from '#support/stacks/synthesised.ts';

const { template } = await synthesise('prod');
const mail = template('Mail');

describe('the mail stack', () => {
  it('signs for the domain, and writes the records into its hosted zone when that is known', () => {
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

  it('prints the records when the zone is hosted elsewhere', async () => {
    const dev = (await synthesise('dev')).template('Mail');
    dev.resourceCountIs('AWS::Route53::RecordSet', 0);
    expect(Object.keys(dev.findOutputs('*')).filter((name) => name.startsWith('Dkim'))).toHaveLength(3);
  });

  it('sends every SES event of a mail to the bus that the rule of mail-events matches', () => {
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

  it('has an encrypted topic that refuses requests without TLS', () => {
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

  it('lets functions send to verified recipients in the SES sandbox, but not from their addresses', async () => {
    template('Functions').resourceCountIs('AWS::Lambda::Function', 8);
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
