import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as s3 from 'aws-cdk-lib/aws-s3';
import * as z from 'zod';
import { MerchantFanOut } from '#lib/constructs/merchant-fan-out.ts';
import type { MerchantFanOutProps } from '#lib/constructs/merchant-fan-out.ts';
import type { PublishedFunction } from '#lib/constructs/published-function.ts';
import { BUCKET_NAME } from './bucket-name.ts';
import { definitionSchema } from './definition.ts';
import type { Definition } from './definition.ts';

const { context: flags } = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8')));

type Kind = MerchantFanOutProps['kind'];

/** The construct in a stack of its own, with functions of one line, as it is deployed. */
export function fanOutStack(
  kind: Kind,
  changes: Partial<MerchantFanOutProps> = {},
  context: Record<string, unknown> = flags,
): { template: Template; stack: Stack } {
  // This stack is never deployed. The check of its resources takes a second, and the deployed stacks have it.
  const app = new App({ context, builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'FanOut', { env: { account: '111122223333', region: 'eu-central-1' } });
  const key = new kms.Key(stack, 'Key');
  const bucket = new s3.Bucket(stack, 'Bucket', { bucketName: BUCKET_NAME, encryptionKey: key });
  const named = (name: string): PublishedFunction => {
    const created = new lambda.Function(stack, name, {
      functionName: name,
      runtime: lambda.Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: lambda.Code.fromInline('exports.handler = () => {};'),
    });
    return { function: created, version: created.currentVersion, code: '0123456789ab' };
  };
  new MerchantFanOut(stack, 'FanOut', {
    kind,
    stateMachineName: `daybook-test-${kind}`,
    plan: named('plan'),
    planTimeout: Duration.minutes(5),
    worker: named(kind === 'daily' ? 'daily-report' : 'alert-check'),
    workerTimeout: kind === 'daily' ? Duration.minutes(15) : Duration.minutes(2),
    ...(kind === 'daily'
      ? {
          statement: { worker: named('statement'), workerTimeout: Duration.minutes(2) },
          sizes: {
            shared: { worker: named('daily-report-batch'), workerTimeout: Duration.minutes(1) },
            large: { worker: named('daily-report-large'), workerTimeout: Duration.minutes(15) },
            largeBytes: 100_000,
          },
        }
      : {}),
    bucket,
    key,
    maxConcurrency: 40,
    toleratedFailurePercentage: 5,
    log: { retention: logs.RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY },
    ...changes,
  });
  return { template: Template.fromStack(stack), stack };
}

const referenceSchema = z.union([
  z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }),
  z.object({ Ref: z.string() }),
]);

/** The text of a template. References are replaced by their most likely values. */
function resolved(value: unknown): string {
  if (typeof value === 'string') return value;
  const reference = referenceSchema.parse(value);
  if ('Fn::Join' in reference) {
    const [separator, parts] = reference['Fn::Join'];
    return parts.map(resolved).join(separator);
  }
  if (reference.Ref === 'AWS::Partition') return 'aws';
  if (reference.Ref.startsWith('Bucket')) return BUCKET_NAME;
  const [, name] = /^(\w+)CurrentVersion/.exec(reference.Ref) ?? [];
  if (name !== undefined) return `arn:aws:lambda:eu-central-1:111122223333:function:${name}:1`;
  throw new Error(`not a known reference: ${JSON.stringify(value)}`);
}

const machineSchema = z.object({ Properties: z.object({ DefinitionString: z.unknown() }) });

/** The rendered definition in the Amazon States Language. */
export function definitionOf(template: Template): Definition {
  const [machine] = Object.values(template.findResources('AWS::StepFunctions::StateMachine'));
  const { DefinitionString } = machineSchema.parse(machine).Properties;
  return definitionSchema.parse(JSON.parse(resolved(DefinitionString)));
}
