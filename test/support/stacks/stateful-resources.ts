import type { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

/** A resource that stays when its stack is deleted, or when a setting takes it out of its stack. */
export interface OutlivingResource {
  type: string;
  /** The name that the template gives it. Unknown: CloudFormation makes one, and a later deploy another. */
  name: string | undefined;
  /** Whether it goes when the operation that made it is undone. */
  goesWithItsCreation: boolean;
}

/** Versions go with the function that they belong to. */
const VERSION = 'AWS::Lambda::Version';

/** A name that the template writes: text, or text joined with something. A reference is the name of something else. */
function isFixedName([property, value]: [string, unknown]): boolean {
  if (!/(?:^|[a-z])Name$/.test(property)) return false;
  return typeof value === 'string' || /"Fn::(?:Join|Sub)"/.test(JSON.stringify(value));
}

/** What stays of a template's resources when the stack goes. */
export function outlivingResources(template: Template): OutlivingResource[] {
  return Object.values(resourcesSchema.parse(template.toJSON()).Resources)
    .filter(({ Type, DeletionPolicy }) => DeletionPolicy !== 'Delete' && Type !== VERSION)
    .map(({ Type, DeletionPolicy, Properties }) => {
      const name = Object.entries(Properties).find(isFixedName)?.[1];
      return {
        type: Type,
        name: name === undefined || typeof name === 'string' ? name : JSON.stringify(name),
        goesWithItsCreation: DeletionPolicy === 'RetainExceptOnCreate',
      };
    });
}

/** What of a resource must stay, so that an upgrade keeps the resource. */
export interface KeptResource {
  Type: string;
  /** The properties whose change makes CloudFormation replace the resource. */
  KeyProperties: Record<string, unknown>;
}

/** Types whose resources have data, history, or something that people did once: verify, confirm, attach. */
const STATEFUL: ReadonlySet<string> = new Set([
  'AWS::Athena::WorkGroup',
  'AWS::DynamoDB::Table',
  'AWS::EventSchemas::Registry',
  'AWS::Glue::Database',
  'AWS::IAM::ManagedPolicy',
  'AWS::KMS::Key',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
  'AWS::S3::Bucket',
  'AWS::SES::ConfigurationSet',
  'AWS::SES::EmailIdentity',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::SecretsManager::Secret',
]);

const resourceSchema = z.object({
  Type: z.string(),
  DeletionPolicy: z.string().default('Delete'),
  Properties: z.record(z.string(), z.unknown()).default({}),
});
const resourcesSchema = z.object({ Resources: z.record(z.string(), resourceSchema) });

const specification = loadAwsServiceSpecSync();

/** The properties that replace a resource, or may, in AWS's own description of its type. */
function replacing(type: string): Set<string> {
  const { properties } = specification.lookup('resource', 'cloudFormationType', 'equals', type).only();
  return new Set(
    Object.entries(properties)
      .filter(([, { causesReplacement = 'no' }]) => causesReplacement !== 'no')
      .map(([name]) => name),
  );
}

export function statefulResources(template: Template): Record<string, KeptResource> {
  const { Resources } = resourcesSchema.parse(template.toJSON());
  return Object.fromEntries(
    Object.entries(Resources)
      .filter(([, { Type }]) => STATEFUL.has(Type))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([id, { Type, Properties }]) => {
        const key = replacing(Type);
        const KeyProperties = Object.fromEntries(
          Object.entries(Properties).filter(([name]) => key.has(name)),
        );
        return [id, { Type, KeyProperties }];
      }),
  );
}
