import { App, Duration, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as s3 from 'aws-cdk-lib/aws-s3';
import { MerchantFanOut } from '../../lib/constructs/merchant-fan-out.ts';
import type { MerchantFanOutProps } from '../../lib/constructs/merchant-fan-out.ts';
import { cdk } from '../stacks/synthesised.ts';

export const BUCKET_NAME = 'daybook-data';

/** A state of the machine, as far as tests look into one. */
export interface State {
  Type: string;
  Next?: string;
  End?: boolean;
  ItemProcessor?: Definition & { ProcessorConfig: { Mode: string; ExecutionType?: string } };
  Retry?: Record<string, unknown>[];
  [member: string]: unknown;
}

export interface Definition {
  StartAt: string;
  States: Record<string, State>;
}

type Kind = MerchantFanOutProps['kind'];

/** The construct in a stack with functions of a line, as it is put into an account. */
export function fanOutStack(
  kind: Kind,
  changes: Partial<MerchantFanOutProps> = {},
  context: Record<string, unknown> = cdk.context,
): { template: Template; stack: Stack } {
  const app = new App({ context });
  const stack = new Stack(app, 'FanOut', { env: { account: '111122223333', region: 'eu-central-1' } });
  const key = new kms.Key(stack, 'Key');
  const bucket = new s3.Bucket(stack, 'Bucket', { bucketName: BUCKET_NAME, encryptionKey: key });
  const named = (name: string) =>
    new lambda.Function(stack, name, {
      functionName: name,
      runtime: lambda.Runtime.NODEJS_24_X,
      handler: 'index.handler',
      code: lambda.Code.fromInline('exports.handler = () => {};'),
    });
  new MerchantFanOut(stack, 'FanOut', {
    kind,
    stateMachineName: `daybook-test-${kind}`,
    plan: named('plan'),
    planTimeout: Duration.minutes(2),
    worker: named(kind === 'daily' ? 'daily-report' : 'alert-check'),
    workerTimeout: kind === 'daily' ? Duration.minutes(15) : Duration.minutes(2),
    bucket,
    key,
    maxConcurrency: 40,
    toleratedFailurePercentage: 5,
    logRetention: logs.RetentionDays.ONE_MONTH,
    ...changes,
  });
  return { template: Template.fromStack(stack), stack };
}

/** A template's text with its references replaced by what they will most likely be. */
function resolved(value: unknown): string {
  if (typeof value === 'string') return value;
  const reference = value as {
    'Fn::Join'?: [string, unknown[]];
    Ref?: string;
    'Fn::GetAtt'?: [string, string];
  };
  if (reference['Fn::Join'] !== undefined) {
    const [separator, parts] = reference['Fn::Join'];
    return parts.map(resolved).join(separator);
  }
  if (reference.Ref === 'AWS::Partition') return 'aws';
  if (reference.Ref?.startsWith('Bucket') === true) return BUCKET_NAME;
  const [logicalId] = reference['Fn::GetAtt'] ?? [];
  if (logicalId !== undefined) {
    const name = logicalId.replace(/[0-9A-F]{8}$/, '');
    return `arn:aws:lambda:eu-central-1:111122223333:function:${name}`;
  }
  throw new Error(`what is ${JSON.stringify(value)}?`);
}

/** The rendered definition in the Amazon States Language. */
export function definitionOf(template: Template): Definition {
  const [machine] = Object.values(template.findResources('AWS::StepFunctions::StateMachine'));
  const { DefinitionString } = (machine as { Properties: { DefinitionString: unknown } }).Properties;
  return JSON.parse(resolved(DefinitionString)) as Definition;
}
