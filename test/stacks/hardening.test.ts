import { Match } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { FUNCTIONS } from '#lib/functions.ts';
import { propertiesOf, synthesise } from '#support/stacks/synthesised.ts';

/*
 * What documents promise of the templates, whatever a new snapshot says.
 */

const { template, settings } = await synthesise('prod');
const functions = template('Functions');

const denied = (Condition: unknown) => Match.objectLike({ Effect: 'Deny', Condition });
const WITHOUT_TLS = denied({ Bool: { 'aws:SecureTransport': 'false' } });
const refuses = (...statements: unknown[]) => ({
  PolicyDocument: { Statement: Match.arrayWith(statements) },
});

it('data are encrypted with a key of their own that rotates, versioned, and their accesses logged', () => {
  template('Data').hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
  const byKey = { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: Match.anyValue() };
  template('Data').hasResourceProperties('AWS::S3::Bucket', {
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [{ BucketKeyEnabled: true, ServerSideEncryptionByDefault: byKey }],
    },
    VersioningConfiguration: { Status: 'Enabled' },
    LoggingConfiguration: { LogFilePrefix: 'data/', DestinationBucketName: Match.anyValue() },
  });
});

it.each(['Data', 'Lake'])(
  'every bucket of %s is reached over TLS 1.2 only, and never by the public',
  (stack) => {
    const each = template(stack);
    each.resourceCountIs('AWS::S3::BucketPolicy', Object.keys(each.findResources('AWS::S3::Bucket')).length);
    const oldTls = denied({ NumericLessThan: { 's3:TlsVersion': 1.2 } });
    each.allResourcesProperties('AWS::S3::BucketPolicy', refuses(WITHOUT_TLS, oldTls));
    each.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      // No access lists.
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    });
  },
);

it('the topic and all queues are encrypted and reached over TLS only', () => {
  template('Mail').allResourcesProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() });
  template('Mail').allResourcesProperties('AWS::SNS::TopicPolicy', refuses(WITHOUT_TLS));
  functions.allResourcesProperties('AWS::SQS::QueuePolicy', refuses(WITHOUT_TLS));
  functions.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
});

it('queues keep messages for a fortnight, that of lost events its addresses for a long weekend only', () => {
  const queueSchema = z.object({
    QueueName: z.string().default('lost events'),
    MessageRetentionPeriod: z.int(),
    RedrivePolicy: z.object({ maxReceiveCount: z.literal(3) }).optional(),
  });
  const queues = Object.values(propertiesOf(functions, 'AWS::SQS::Queue', queueSchema));
  const kept = queues.map(({ QueueName, MessageRetentionPeriod, RedrivePolicy }) => [
    QueueName,
    MessageRetentionPeriod / 86_400,
    RedrivePolicy?.maxReceiveCount ?? 'no dead letters',
  ]);
  expect(kept.toSorted()).toEqual([
    ['daybook-prod-alerts', 14, 3],
    ['daybook-prod-alerts-dead', 14, 'no dead letters'],
    ['daybook-prod-backfills', 14, 3],
    ['daybook-prod-backfills-dead', 14, 'no dead letters'],
    ['daybook-prod-reports', 14, 3],
    ['daybook-prod-reports-dead', 14, 'no dead letters'],
    ['lost events', 4, 'no dead letters'],
  ]);
});

it('queues call their worker as the settings say, and believe which messages failed', () => {
  const sourceSchema = z.object({
    BatchSize: z.int(),
    ScalingConfig: z.object({ MaximumConcurrency: z.int() }),
    FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).length(1),
    FunctionName: z.unknown(),
  });
  const sources = Object.values(propertiesOf(functions, 'AWS::Lambda::EventSourceMapping', sourceSchema));
  const { backfills, reports, alerts } = settings.concurrency;
  const named = sources.map(({ BatchSize, ScalingConfig, FunctionName }) => [
    /(dailyreport|alertcheck)Live/.exec(JSON.stringify(FunctionName))?.[1],
    BatchSize,
    ScalingConfig.MaximumConcurrency,
  ]);
  const expected = [
    ['alertcheck', 10, alerts],
    ['dailyreport', 1, backfills],
    ['dailyreport', 1, reports],
  ];
  expect(named.toSorted()).toEqual(expected.toSorted());
});

it('a long message goes on in as many new ones as it needs, and no other function calls itself', () => {
  const loopSchema = z.object({ FunctionName: z.string(), RecursiveLoop: z.string().optional() });
  const all = Object.values(propertiesOf(functions, 'AWS::Lambda::Function', loopSchema));
  const allowed = all.filter(({ RecursiveLoop }) => RecursiveLoop !== undefined);
  expect(allowed).toEqual([{ FunctionName: 'daybook-prod-daily-report', RecursiveLoop: 'Allow' }]);
});

it.each([
  ['DailyTick', settings.schedules.daily, 'planLive'],
  ['StatementTick', settings.schedules.daily, 'planLive'],
  ['AlertTick', settings.schedules.alerts, 'planLive'],
  ['WatchTick', settings.schedules.watch, 'deliverywatchLive'],
])('%s runs as the settings say, with retries and a dead-letter queue', (tick, expression, called) => {
  const targetSchema = z.looseObject({ Arn: z.unknown(), DeadLetterConfig: z.object({ Arn: z.unknown() }) });
  const scheduleSchema = z.looseObject({ Target: targetSchema });
  const all = propertiesOf(template('Schedules'), 'AWS::Scheduler::Schedule', scheduleSchema);
  const [[, schedule] = [], ...others] = Object.entries(all).filter(([id]) => id.startsWith(tick));
  expect(others).toEqual([]);
  expect(schedule).toMatchObject({
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: 'Asia/Kuwait',
    State: 'ENABLED',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { RetryPolicy: { MaximumEventAgeInSeconds: 3_600, MaximumRetryAttempts: 20 } },
  });
  expect(JSON.stringify(schedule?.Target.Arn)).toContain(called);
});

describe('a function', () => {
  it.each(Object.keys(FUNCTIONS))('has a version that later deploys keep, and an alias: %s', (name) => {
    const id = `${name.replaceAll('-', '')}Function`;
    const versions = Object.entries(functions.findResources('AWS::Lambda::Version'));
    const own = versions.filter(([each]) => each.startsWith(id));
    // It stays when a later one comes, and goes when the deploy that makes it fails.
    const kept = { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' };
    expect(own).toMatchObject([[expect.any(String), kept]]);
    functions.hasResourceProperties('AWS::Lambda::Alias', {
      Name: 'live',
      FunctionVersion: { 'Fn::GetAtt': [own[0]?.[0], 'Version'] },
    });
  });

  it('that nobody waits for is tried again and has its dead letters, also when the alias is called', () => {
    const configSchema = z.object({ MaximumRetryAttempts: z.literal(2), Qualifier: z.unknown() });
    const configured = Object.values(propertiesOf(functions, 'AWS::Lambda::EventInvokeConfig', configSchema));
    const aliases = configured.filter(({ Qualifier }) => Qualifier !== '$LATEST');
    const unattended = Object.values(FUNCTIONS).filter((each) => each.unattended).length;
    expect(aliases).toHaveLength(unattended);
    for (const { Qualifier } of aliases) expect(JSON.stringify(Qualifier)).toMatch(/"\w+Live[0-9A-F]{8}"/);
    functions.resourcePropertiesCountIs(
      'AWS::Lambda::Function',
      { DeadLetterConfig: { TargetArn: Match.anyValue() } },
      unattended,
    );
  });
});
