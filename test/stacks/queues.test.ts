import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { outlivingResources } from '#support/stacks/outliving-resources.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { FUNCTIONS, MAX_RECEIVES, QUEUES, QUEUE_NAMES } from '#lib/functions.ts';

const stages = { prod: await synthesise('prod'), dev: await synthesise('dev') };

/** The resources of a type in all stacks. */
function all(stage: keyof typeof stages, type: string) {
  return Object.values(stages[stage].templates).flatMap((template) =>
    Object.values(template.findResources(type)),
  );
}

describe('what outlives its stack', () => {
  const outliving = (stage: keyof typeof stages) =>
    Object.values(stages[stage].templates).flatMap(outlivingResources);

  it('is nothing where `removal` is `destroy`', () => {
    expect(outliving('dev')).toEqual([]);
  });

  it('is data, logs and what others may use where `removal` is `retain`', () => {
    const types = outliving('prod').map(({ type }) => type);
    expect(
      Object.fromEntries(
        Object.entries(Object.groupBy(types, String)).map(([type, of]) => [type, of?.length]),
      ),
    ).toEqual({
      'AWS::KMS::Key': 1,
      // The data, the access logs, the answers of queries.
      'AWS::S3::Bucket': 3,
      // One of each function.
      'AWS::Logs::LogGroup': 8,
      'AWS::EventSchemas::Registry': 1,
    });
  });

  it('goes with a first deploy that fails: otherwise the next one would find its name taken', () => {
    const left = outliving('prod').filter(({ goesWithItsCreation }) => !goesWithItsCreation);
    expect(left).toEqual([]);
  });
});

describe('every queue', () => {
  const queues = Object.values(
    propertiesOf(
      stages.prod.template('Functions'),
      'AWS::SQS::Queue',
      z.object({
        QueueName: z.string().optional(),
        SqsManagedSseEnabled: z.literal(true),
        MessageRetentionPeriod: z.int(),
        VisibilityTimeout: z.int().optional(),
        RedrivePolicy: z.object({ maxReceiveCount: z.literal(3) }).optional(),
      }),
    ),
  );
  const named = (name: string) => queues.find(({ QueueName }) => QueueName === `daybook-prod-${name}`);

  it('is encrypted; that of lost events keeps the addresses in them for a long weekend only', () => {
    expect(queues).toHaveLength(7);
    expect(all('prod', 'AWS::SQS::Queue')).toHaveLength(7);
    const days = queues.map(({ QueueName, MessageRetentionPeriod }) => [
      QueueName ?? 'lost events',
      MessageRetentionPeriod / 86_400,
    ]);
    expect(days.toSorted()).toEqual([
      ['daybook-prod-alerts', 14],
      ['daybook-prod-alerts-dead', 14],
      ['daybook-prod-backfills', 14],
      ['daybook-prod-backfills-dead', 14],
      ['daybook-prod-reports', 14],
      ['daybook-prod-reports-dead', 14],
      ['lost events', 4],
    ]);
  });

  it.each(QUEUE_NAMES)(
    'hides a message for longer than its worker runs, and keeps dead letters: %s',
    (name) => {
      const seconds = FUNCTIONS[QUEUES[name].worker].timeoutMinutes * 60;
      expect(named(name)?.VisibilityTimeout).toBeGreaterThan(seconds);
      expect(named(name)).toHaveProperty('RedrivePolicy');
    },
  );

  it('calls the worker as the settings say, and believes which messages failed', () => {
    const sources = Object.values(
      propertiesOf(
        stages.prod.template('Functions'),
        'AWS::Lambda::EventSourceMapping',
        z.object({
          BatchSize: z.int(),
          MaximumBatchingWindowInSeconds: z.int().optional(),
          ScalingConfig: z.object({ MaximumConcurrency: z.int() }),
          FunctionResponseTypes: z.array(z.string()),
          FunctionName: z.unknown(),
        }),
      ),
    );
    const { concurrency } = stages.prod.settings;
    expect(
      sources.map(({ BatchSize, ScalingConfig }) => [BatchSize, ScalingConfig.MaximumConcurrency]).toSorted(),
    ).toEqual(
      [
        [1, concurrency.backfills],
        [1, concurrency.reports],
        [10, concurrency.alerts],
      ].toSorted(),
    );
    for (const { FunctionResponseTypes, FunctionName } of sources) {
      expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(JSON.stringify(FunctionName)).toMatch(/(dailyreport|alertcheck)Live/);
    }
  });

  it('rings for no alert check that only comes back: it is put aside before', () => {
    const longestWaits = 1.5 * (4 + 20);
    const runs = MAX_RECEIVES * FUNCTIONS['alert-check'].timeoutMinutes;
    expect(QUEUES.alerts.longestWaitMinutes).toBeGreaterThan(longestWaits + runs);
  });

  it('lets a long message go on in as many new messages as it needs, and no other function call itself', () => {
    const loops = propertiesOf(
      stages.prod.template('Functions'),
      'AWS::Lambda::Function',
      z.object({ FunctionName: z.string(), RecursiveLoop: z.string().optional() }),
    );
    const allowed = Object.values(loops).filter(({ RecursiveLoop }) => RecursiveLoop !== undefined);
    expect(allowed).toEqual([{ FunctionName: 'daybook-prod-daily-report', RecursiveLoop: 'Allow' }]);
  });

  it('refuses requests without TLS', () => {
    stages.prod.template('Functions').allResourcesProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      },
    });
  });
});

it('the topic is encrypted and refuses requests without TLS', () => {
  const mail = stages.prod.template('Mail');
  mail.allResourcesProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.anyValue() });
  mail.allResourcesProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ]),
    },
  });
});
