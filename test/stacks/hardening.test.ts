import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { outlivingResources } from '#support/stacks/outliving-resources.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { propertiesOf } from '#support/stacks/properties-of.ts';
import { defined } from '#support/assertions/defined.ts';

const stages = { prod: await synthesise('prod'), dev: await synthesise('dev') };

const roleSchema = z.object({
  Description: z.string().optional(),
  AssumeRolePolicyDocument: z.object({
    Statement: z.array(
      z.object({
        Principal: z.object({ Service: z.string() }),
        Condition: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
      }),
    ),
  }),
});

/** The resources of a type in all stacks. */
function all(stage: keyof typeof stages, type: string) {
  return Object.values(stages[stage].templates).flatMap((template) =>
    Object.values(template.findResources(type)),
  );
}

describe('the roles of state machines', () => {
  const roles = Object.values(stages.prod.templates)
    .flatMap((template) => Object.values(propertiesOf(template, 'AWS::IAM::Role', roleSchema)))
    .filter(({ AssumeRolePolicyDocument: { Statement } }) =>
      Statement.some(({ Principal }) => Principal.Service.startsWith('states.')),
    );

  it.each(roles.map((role) => [role.Description, role] as const))(
    'serve only the state machine that they are for: %s',
    (description, { AssumeRolePolicyDocument: { Statement } }) => {
      const name = defined(/^(daybook-prod-\w+): /.exec(defined(description))?.[1]);
      const [statement, ...others] = Statement;
      expect(others).toEqual([]);
      const { StringEquals, ArnLike } = defined(statement?.Condition);
      expect(StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
      expect(JSON.stringify(ArnLike)).toMatch(
        new RegExp(`"aws:SourceArn":.*arn:aws:states:eu-central-1:.*:stateMachine:${name}\\*"`),
      );
    },
  );

  it('are those of both', () => {
    expect(roles).toHaveLength(all('prod', 'AWS::StepFunctions::StateMachine').length);
    expect(roles).toHaveLength(2);
  });
});

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
      // Nine functions, three state machines.
      'AWS::Logs::LogGroup': 12,
      'AWS::EventSchemas::Registry': 1,
    });
  });

  it('goes with a first deploy that fails: otherwise the next one would find its name taken', () => {
    const left = outliving('prod').filter(({ goesWithItsCreation }) => !goesWithItsCreation);
    expect(left).toEqual([]);
  });
});

describe('the queue of dead letters', () => {
  it('is encrypted, and keeps the addresses in it for a long weekend only', () => {
    const { template } = stages.prod;
    template('Functions').hasResourceProperties('AWS::SQS::Queue', {
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 4 * 86_400,
    });
    expect(all('prod', 'AWS::SQS::Queue')).toHaveLength(1);
  });

  it('refuses requests without TLS', () => {
    stages.prod.template('Functions').hasResourceProperties('AWS::SQS::QueuePolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      },
    });
  });
});
