import { Match } from 'aws-cdk-lib/assertions';
import { parseSettings, readSettings } from '#lib/settings.ts';
import { synthesise } from '#support/stacks/synthesised.ts';

const SIGN_INS = [
  { by: 'key', header: 'x-shop-key' },
  { by: 'basic' },
  { by: 'oauth', tokenUrl: 'https://login.example.org/token' },
] as const;
const OF = [{ merchants: ['700001', '700002'] }, { groups: ['shops'] }, 'all'] as const;

const webhooks = SIGN_INS.map((signIn, index) => ({
  name: `shop-${index}`,
  url: `https://shop-${index}.example.org/daybook`,
  of: OF[index],
  ...(index === 0 && { types: ['ReportSealed', 'DayUnbalanced'] }),
  signIn,
  secret: `daybook/prod/webhooks/shop-${index}`,
  ...(index === 1 && { rate: 2, retries: 3 }),
}));

function prodWith(events: unknown) {
  const { stage, ...settings } = readSettings('prod');
  return parseSettings(stage, { ...settings, events });
}

const { template } = await synthesise('prod', (settings) => {
  settings.events = prodWith({ webhooks }).events;
});
const bare = await synthesise('prod', (settings) => (settings.events = { webhooks: [] }));
const off = await synthesise('prod');

describe('a stage that tells other systems', () => {
  it('has nothing of it unless the setting says so', () => {
    expect(off.templates).not.toHaveProperty('Events');
    expect(JSON.stringify(Object.values(off.templates).map((each) => each.toJSON()))).not.toMatch(
      /announce|PutEvents|EventBridgeEnabled/,
    );
  });

  it('lets S3 tell EventBridge, without a function of CDK', () => {
    template('Data').hasResourceProperties('AWS::S3::Bucket', {
      NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
    });
    template('Data').resourceCountIs('AWS::Lambda::Function', 0);
  });

  it('calls `announce` with the objects that say something, and keeps what fails every time', () => {
    const queue = { 'Fn::GetAtt': [Match.stringLikeRegexp('^DeadLetters'), 'Arn'] };
    template('Functions').hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.s3'],
        'detail-type': ['Object Created'],
        detail: {
          bucket: { name: [Match.anyValue()] },
          object: {
            key: ['days/', 'statements/', 'mail/day=', 'mail/ops/watch/', 'alerts/', 'mail-stops/'].map(
              (prefix) => ({ prefix }),
            ),
          },
        },
      },
      Targets: [
        Match.objectLike({
          Arn: { Ref: Match.stringLikeRegexp('^announceLive') },
          DeadLetterConfig: { Arn: queue },
          RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
        }),
      ],
    });
    template('Functions').hasResourceProperties('AWS::Lambda::Function', {
      FunctionName: 'daybook-prod-announce',
      DeadLetterConfig: { TargetArn: queue },
    });
    template('Console').hasResourceProperties('AWS::EventSchemas::Schema', {
      SchemaName: '_daybook-prod-announce-schema',
    });
  });

  it('has no stack for webhooks while it has none', () => {
    expect(bare.templates).not.toHaveProperty('Events');
  });
});

describe('a webhook', () => {
  const events = template('Events');

  it('signs in with what its secret has, which no template shows', () => {
    const of = (secret: string, member: string) =>
      `{{resolve:secretsmanager:daybook/prod/webhooks/${secret}:SecretString:${member}::}}`;
    const [key, basic, oauth] = [
      { ApiKeyAuthParameters: { ApiKeyName: 'x-shop-key', ApiKeyValue: of('shop-0', 'key') } },
      { BasicAuthParameters: { Username: of('shop-1', 'username'), Password: of('shop-1', 'password') } },
      {
        OAuthParameters: {
          AuthorizationEndpoint: 'https://login.example.org/token',
          ClientParameters: {
            ClientID: of('shop-2', 'clientId'),
            ClientSecret: of('shop-2', 'clientSecret'),
          },
          HttpMethod: 'POST',
        },
      },
    ];
    for (const [AuthorizationType, AuthParameters] of [
      ['API_KEY', key],
      ['BASIC', basic],
      ['OAUTH_CLIENT_CREDENTIALS', oauth],
    ])
      events.hasResourceProperties('AWS::Events::Connection', { AuthorizationType, AuthParameters });
  });

  it.each([
    [
      0,
      { 'detail-type': ['ReportSealed', 'DayUnbalanced'] },
      { merchantCode: ['700001', '700002'] },
      [185, 10],
    ],
    [1, {}, { group: ['shops'] }, [3, 2]],
    [2, {}, {}, [185, 10]],
  ] as const)('gets what it asks for, as fast as it says: %i', (index, types, of, [retries, rate]) => {
    events.hasResourceProperties('AWS::Events::ApiDestination', {
      InvocationEndpoint: `https://shop-${index}.example.org/daybook`,
      InvocationRateLimitPerSecond: rate,
    });
    events.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: { source: ['daybook'], ...types, detail: { stage: ['prod'], ...of } },
      Targets: [
        Match.objectLike({
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^DeadLetters'), 'Arn'] } },
          RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: retries },
        }),
      ],
    });
  });

  it('leaves what it does not take in an encrypted queue', () => {
    events.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: 'daybook-prod-webhooks-dead',
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 86_400,
    });
  });
});
