import { pastedLine } from '#mail/notices/ops-command.ts';
import type { CommandPlace } from '#mail/notices/ops-command.ts';
import type { S3Client } from '@aws-sdk/client-s3';
import { requestHandler } from '#runtime/aws-clients.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import type { Stack } from '@aws-sdk/client-cloudformation';
import { concurrencyOutput, functionOutput, queueOutput } from '#lib/functions.ts';
import type { FunctionName, OptionalFunctionName, QueueName } from '#lib/functions.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { isDay } from '#records/day/business-day.ts';
import { CommandError } from '../terminal/command-errors.ts';

export interface GlobalOptions extends CommandPlace {
  json?: boolean | undefined;
  yes?: boolean | undefined;
}

/** Makes lines for the person to paste. They lead to the stage that this command works with. */
export type Lines = ReturnType<typeof linesFor>;

/** @param place where the stage is. A local run has no account: lines of the AWS CLI and of CDK start it again */
export function linesFor(place: CommandPlace) {
  const line =
    (tool: 'aws' | 'cdk' | 'daybook') =>
    (...words: readonly string[]) =>
      pastedLine(tool, words, place);
  return {
    daybook: line('daybook'),
    aws: line('aws'),
    cdk: line('cdk'),
  };
}

type StackName = 'Data' | 'Mail' | 'Functions' | 'Schedules' | 'Lake';

function stackOf(stage: string, name: StackName): string {
  return `Daybook-${stage}-${name}`;
}

/** A stack, `undefined` when there is none of this name. */
export async function findStack(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName: name }))).Stacks?.[0];
  } catch (error) {
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** The outputs of those of the stacks that are deployed. */
async function outputsOf(stage: string, ...names: readonly StackName[]) {
  const client = new CloudFormationClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
  const outputs = new Map<StackName, ReadonlyMap<string, string>>();
  try {
    const find = async (name: StackName) => {
      const stack = await findStack(client, stackOf(stage, name));
      const found = stack?.Outputs?.map(
        ({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue] as const,
      );
      if (stack !== undefined) outputs.set(name, new Map(found));
    };
    await Promise.all(names.map(find));
    return outputs;
  } finally {
    client.destroy();
  }
}

/** The outputs of `Lake`; `undefined`: not deployed. Only a command that looks at the lake needs them. */
export async function readLakeOutputs(stage: string) {
  const outputs = (await outputsOf(stage, 'Lake')).get('Lake');
  const firstDay = outputs?.get('LakeFirstDay') ?? '';
  return (
    outputs && {
      stack: stackOf(stage, 'Lake'),
      /** The first day of its tables. `undefined`: the stack does not say it. */
      firstDay: isDay(firstDay) ? firstDay : undefined,
    }
  );
}

/** @throws {CommandError} when the stage is not there, or was deployed by a version without these outputs */
export async function readStageOutputs(stage: string, lines: Lines) {
  const needed = ['Data', 'Mail', 'Functions'] as const;
  // `Schedules` is deployed last, when the registry and the secret are there already.
  const outputs = await outputsOf(stage, ...needed, 'Schedules');
  const deploy = `"${lines.cdk('deploy', '--all')}"`;
  const missing = needed.find((name) => !outputs.has(name));
  if (missing !== undefined)
    throw new CommandError(
      `there is no stage "${stage}" in ${process.env['AWS_REGION'] ?? 'this region'}: Stack with id ${stackOf(stage, missing)} does not exist. Deploy it with ${deploy}, or name another --stage, --region or --profile`,
    );
  const optional = (stack: StackName, name: string) => outputs.get(stack)?.get(name);
  const required = (stack: StackName, name: string): string => {
    const value = optional(stack, name);
    if (value !== undefined) return value;
    throw new CommandError(
      `the stack ${stackOf(stage, stack)} is not deployed, or an older version deployed it: it has no output ${name}. Deploy this version with ${deploy}`,
    );
  };
  const list = (text = '') => (text === '' ? [] : text.split(','));
  const functionNamed = (name: FunctionName) => required('Functions', functionOutput(name));
  const optionalNamed = (name: OptionalFunctionName) => optional('Functions', functionOutput(name));
  const ofQueues = <Value>(valueOf: (name: QueueName) => Value): Record<QueueName, Value> => ({
    reports: valueOf('reports'),
    backfills: valueOf('backfills'),
    alerts: valueOf('alerts'),
  });
  return {
    bucket: required('Data', 'BucketName'),
    registryKey: required('Functions', 'RegistryKey'),
    /** The name of the secret for merchants without a `secretId`. */
    credentialsSecret: required('Functions', 'CredentialsSecret'),
    /** What every `secretId` begins with. `undefined`: no merchant has one. */
    credentialsSecretPrefix: optional('Functions', 'CredentialsSecretPrefix'),
    serviceOrigins: list(required('Functions', 'ServiceOrigins')),
    functions: {
      plan: functionNamed('plan'),
      'daily-report': functionNamed('daily-report'),
      statement: functionNamed('statement'),
      'alert-check': functionNamed('alert-check'),
      'delivery-watch': functionNamed('delivery-watch'),
      'mail-events': functionNamed('mail-events'),
      sweep: functionNamed('sweep'),
      lake: functionNamed('lake'),
    },
    /** Those that the settings of the stage ask for. */
    optionalFunctions: {
      announce: optionalNamed('announce'),
      link: optionalNamed('link'),
      unsubscribe: optionalNamed('unsubscribe'),
      prove: optionalNamed('prove'),
    },
    queues: ofQueues((name) => required('Functions', queueOutput(name))),
    topicArn: required('Mail', 'TopicArn'),
    mail: {
      from: required('Mail', 'MailFrom'),
      identity: required('Mail', 'Identity'),
      configurationSet: required('Mail', 'ConfigurationSet'),
      opsRecipients: list(optional('Mail', 'OpsRecipients')),
    },
    /** `names` is empty when the stack `Schedules` is not deployed yet. */
    schedules: {
      group: optional('Schedules', 'ScheduleGroup') ?? 'default',
      names: list(optional('Schedules', 'Schedules')),
    },
    /** How many batches of each queue run at the same time. */
    concurrency: ofQueues((name) => Number(required('Functions', concurrencyOutput(name)))),
  };
}

export interface Stage extends Awaited<ReturnType<typeof readStageOutputs>> {
  /** Such as `prod`; `local` for a local run. */
  name: string;
  isLocal: boolean;
  /** The client of its bucket, made when it is first needed and shared. Region, credentials and endpoint are the standard ones. */
  s3: () => S3Client;
  /** Reads its registry, as its functions would. @throws {RegistryError} when no registry can be used */
  registry: () => ReturnType<RegistrySource['load']>;
  lines: Lines;
}

/** Finds a stage's resources by the outputs of its stacks. @throws {CommandError} when there is no such stage */
export async function connectStage(name: string, isLocal: boolean, lines: Lines): Promise<Stage> {
  const outputs = await readStageOutputs(name, lines);
  let client: S3Client | undefined;
  const s3 = () => (client ??= createS3Client());
  const registry = () => new RegistrySource(s3(), outputs.bucket, outputs.registryKey).load();
  return { ...outputs, name, isLocal, lines, s3, registry };
}
