import { pastedLine } from '#mail/notices/ops-command.ts';
import type { CommandPlace } from '#mail/notices/ops-command.ts';
import type { S3Client } from '@aws-sdk/client-s3';
import { requestHandler } from '#runtime/aws-clients.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { concurrencyOutput, functionOutput, queueOutput } from '#lib/functions.ts';
import type { FunctionName, OptionalFunctionName, QueueName } from '#lib/functions.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import { isDay } from '#records/day/business-day.ts';
import type { Day } from '#records/day/business-day.ts';
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

type StackName = 'Data' | 'Mail' | 'Functions' | 'Schedules';

type StackOutputs = Record<StackName, ReadonlyMap<string, string>>;

export interface StageOutputs {
  bucket: string;
  registryKey: string;
  /** The name of the secret for merchants without a `secretId`. */
  credentialsSecret: string;
  /** What every `secretId` begins with. `undefined`: no merchant has one. */
  credentialsSecretPrefix: string | undefined;
  serviceOrigins: readonly string[];
  functions: Readonly<Record<FunctionName, string>>;
  /** Those that the settings of the stage ask for. */
  optionalFunctions: Readonly<Record<OptionalFunctionName, string | undefined>>;
  queues: Readonly<Record<QueueName, string>>;
  topicArn: string;
  mail: {
    from: string;
    identity: string;
    configurationSet: string;
    opsRecipients: readonly string[];
  };
  /** `names` is empty when the stack `Schedules` is not deployed yet. */
  schedules: { group: string; names: readonly string[] };
  /** How many batches of each queue run at the same time. */
  concurrency: Readonly<Record<QueueName, number>>;
}

interface LakeOutputs {
  stack: string;
  /** The first day of its tables. `undefined`: the stack does not say it. */
  firstDay: Day | undefined;
}

function stackOf(stage: string, name: StackName | 'Lake'): string {
  return `Daybook-${stage}-${name}`;
}

function isMissingStack(error: unknown): error is Error {
  return error instanceof Error && /does not exist/.test(error.message);
}

function noOutputs(error: unknown): ReadonlyMap<string, string> {
  if (!isMissingStack(error)) throw error;
  return new Map();
}

async function outputsOf(
  client: CloudFormationClient,
  stage: string,
  name: StackName | 'Lake',
): Promise<ReadonlyMap<string, string>> {
  const { Stacks: stacks = [] } = await client.send(
    new DescribeStacksCommand({ StackName: stackOf(stage, name) }),
  );
  return new Map(
    (stacks[0]?.Outputs ?? []).flatMap(({ OutputKey: key, OutputValue: value }) =>
      key === undefined || value === undefined ? [] : [[key, value]],
    ),
  );
}

function createClient(): CloudFormationClient {
  return new CloudFormationClient({ maxAttempts: 4, requestHandler: requestHandler(8_000) });
}

/**
 * Reads the outputs of the stack `Lake`. Reports and mails need none of them, so only a command that looks at the lake
 * reads them.
 *
 * @returns `undefined` when the stack is not deployed
 */
export async function readLakeOutputs(stage: string): Promise<LakeOutputs | undefined> {
  const client = createClient();
  try {
    const outputs = await outputsOf(client, stage, 'Lake');
    const firstDay = outputs.get('LakeFirstDay');
    return {
      stack: stackOf(stage, 'Lake'),
      firstDay: firstDay !== undefined && isDay(firstDay) ? firstDay : undefined,
    };
  } catch (error) {
    if (isMissingStack(error)) return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

/**
 * Reads the outputs of the stage's stacks.
 *
 * @throws {CommandError} when the stage is not there, or was deployed by a version without these outputs
 */
export async function readStageOutputs(stage: string, lines: Lines): Promise<StageOutputs> {
  const client = createClient();
  try {
    const [data, mail, functions, schedules] = await Promise.all([
      outputsOf(client, stage, 'Data'),
      outputsOf(client, stage, 'Mail'),
      outputsOf(client, stage, 'Functions'),
      // It is deployed last, when the registry and the secret are there already.
      outputsOf(client, stage, 'Schedules').catch(noOutputs),
    ]);
    return stageOutputs(stage, { Data: data, Mail: mail, Functions: functions, Schedules: schedules }, lines);
  } catch (error) {
    if (!isMissingStack(error)) throw error;
    const region = await client.config.region();
    throw new CommandError(
      `there is no stage "${stage}" in ${region}: ${error.message}. Deploy it with "${lines.cdk('deploy', '--all')}", or name another --stage, --region or --profile`,
      { cause: error },
    );
  } finally {
    client.destroy();
  }
}

function stageOutputs(stage: string, outputs: StackOutputs, lines: Lines): StageOutputs {
  const optional = (stack: StackName, name: string) => outputs[stack].get(name);
  const required = (stack: StackName, name: string): string => {
    const value = optional(stack, name);
    if (value !== undefined) return value;
    throw new CommandError(
      `the stack ${stackOf(stage, stack)} is not deployed, or an older version deployed it: it has no output ${name}. Deploy this version with "${lines.cdk('deploy', '--all')}"`,
    );
  };
  const list = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(','));
  const functionNamed = (name: FunctionName) => required('Functions', functionOutput(name));
  const ofQueues = <Value>(valueOf: (name: QueueName) => Value): Record<QueueName, Value> => ({
    reports: valueOf('reports'),
    backfills: valueOf('backfills'),
    alerts: valueOf('alerts'),
  });
  return {
    bucket: required('Data', 'BucketName'),
    registryKey: required('Functions', 'RegistryKey'),
    credentialsSecret: required('Functions', 'CredentialsSecret'),
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
    optionalFunctions: {
      announce: optional('Functions', functionOutput('announce')),
      link: optional('Functions', functionOutput('link')),
      unsubscribe: optional('Functions', functionOutput('unsubscribe')),
      prove: optional('Functions', functionOutput('prove')),
    },
    queues: ofQueues((name) => required('Functions', queueOutput(name))),
    topicArn: required('Mail', 'TopicArn'),
    mail: {
      from: required('Mail', 'MailFrom'),
      identity: required('Mail', 'Identity'),
      configurationSet: required('Mail', 'ConfigurationSet'),
      opsRecipients: list(optional('Mail', 'OpsRecipients')),
    },
    schedules: {
      group: optional('Schedules', 'ScheduleGroup') ?? 'default',
      names: list(optional('Schedules', 'Schedules')),
    },
    concurrency: ofQueues((name) => Number(required('Functions', concurrencyOutput(name)))),
  };
}

export interface Stage extends StageOutputs {
  /** Such as `prod`; `local` for a local run. */
  name: string;
  isLocal: boolean;
  /** The client of its bucket, made when it is first needed and shared. Region, credentials and endpoint are the standard ones. */
  s3: () => S3Client;
  /** Reads its registry, as its functions would. @throws {RegistryError} when no registry can be used */
  registry: () => ReturnType<RegistrySource['load']>;
  lines: Lines;
}

/**
 * Connects to a stage: finds its resources by the outputs of its stacks.
 *
 * @throws {CommandError} when there is no such stage
 */
export async function connectStage(name: string, isLocal: boolean, lines: Lines): Promise<Stage> {
  const outputs = await readStageOutputs(name, lines);
  let client: S3Client | undefined;
  const s3 = () => (client ??= createS3Client());
  const registry = () => new RegistrySource(s3(), outputs.bucket, outputs.registryKey).load();
  return { ...outputs, name, isLocal, lines, s3, registry };
}
