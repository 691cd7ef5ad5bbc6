import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration, RemovalPolicy, Size, Stack, Stage } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { LIVE } from '../functions.ts';
import type { AnyFunctionName, FunctionDefinition } from '../functions.ts';
import { RunbookAlarm, metricNamespace } from './runbook-alarm.ts';
import type { AlarmDestination } from './runbook-alarm.ts';

export interface DaybookFunctionProps {
  name: AnyFunctionName;
  definition: FunctionDefinition;
  built: string;
  /** Further files beside its code: the text of each by its name. */
  files?: Readonly<Record<string, string>>;
  environment: Record<string, string>;
  /** How long lines are kept, and what happens to the log when its stack is deleted. */
  log: Pick<logs.LogGroupProps, 'retention' | 'removalPolicy'>;
  alarms: AlarmDestination;
  /** Gets the events that failed every time, if the caller does not wait. */
  deadLetters: sqs.IQueue;
}

/** A run that takes this share of its time limit is close to it. */
const NEAR_THE_LIMIT = 0.8;

/** @param files further files: the text of each by its name */
function builtCode(
  scope: Construct,
  built: string,
  name: string,
  files: Readonly<Record<string, string>> = {},
): lambda.Code {
  const folder = join(built, name);
  const file = join(folder, 'index.mjs');
  if (!existsSync(file)) throw new Error(`${file} does not exist: run "npm run build" first`);
  const exclude = ['*.map'];
  if (Object.keys(files).length === 0) return lambda.Code.fromAsset(folder, { exclude });
  const staged = join(Stage.of(scope)?.outdir ?? built, `${Stack.of(scope).stackName}-${name}`);
  cpSync(folder, staged, { recursive: true });
  for (const [other, text] of Object.entries(files)) writeFileSync(join(staged, other), text);
  return lambda.Code.fromAsset(staged, { exclude });
}

/** One of Daybook's functions with its own log, only the rights granted to it, and its alarms. */
export class DaybookFunction extends Construct {
  readonly function: lambda.Function;
  /** What schedules, queues, events and people call. */
  readonly live: lambda.Alias;
  readonly role: iam.Role;
  readonly name: AnyFunctionName;
  /** The name in AWS. It begins with the stage's name. */
  readonly functionName: string;

  constructor(scope: Construct, id: string, props: DaybookFunctionProps) {
    super(scope, id);
    const { name, definition, alarms } = props;
    const functionName = `daybook-${alarms.stage}-${name}`;
    this.name = name;
    this.functionName = functionName;

    const logGroup = new logs.LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${functionName}`,
      ...props.log,
    });
    this.role = new iam.Role(this, 'Role', {
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `${functionName}: what this function may do`,
    });
    logGroup.grantWrite(this.role);

    this.function = new lambda.Function(this, 'Function', {
      functionName,
      description: definition.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      code: builtCode(this, props.built, name, props.files),
      handler: 'index.handler',
      memorySize: definition.memory,
      timeout: Duration.minutes(definition.timeoutMinutes),
      ephemeralStorageSize: Size.mebibytes(512),
      role: this.role,
      logGroup,
      ...(definition.callsItself && { recursiveLoop: lambda.RecursiveLoop.ALLOW }),
      environment: { ...props.environment, POWERTOOLS_METRICS_NAMESPACE: metricNamespace(alarms.stage) },
      ...(definition.unattended && { deadLetterQueue: props.deadLetters, retryAttempts: 2 }),
      // Old versions stay, so that an alias can go back. One of a deploy that fails must go: with it, the same code could not
      // be published again.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    this.live = new lambda.Alias(this, 'Live', {
      aliasName: LIVE,
      version: this.function.currentVersion,
      description: 'What schedules, queues, events and people call',
      // Lambda keeps this setting for each name by which a function is called.
      ...(definition.unattended && { retryAttempts: 2 }),
    });
    this.#watch(alarms, definition);
  }

  #watch(destination: AlarmDestination, { timeoutMinutes, goesOn }: FunctionDefinition): void {
    const period = Duration.minutes(15);
    new RunbookAlarm(this, 'Throttled', {
      destination,
      name: `${this.name}-throttled`,
      metric: this.function.metricThrottles({ period }),
      impact: `Lambda turned away calls of ${this.name}: reports or alerts come late.`,
      heading: 'Calls are throttled',
    });
    if (goesOn === true) return;
    new RunbookAlarm(this, 'Slow', {
      destination,
      name: `${this.name}-slow`,
      metric: this.function.metricDuration({ period, statistic: cloudwatch.Stats.MAXIMUM }),
      threshold: Duration.minutes(timeoutMinutes).toMilliseconds() * NEAR_THE_LIMIT,
      impact: `A run of ${this.name} took over ${NEAR_THE_LIMIT * 100} % of its time limit: a larger one will not be finished.`,
      heading: 'A run takes too long',
    });
  }
}
