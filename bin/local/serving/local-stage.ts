import { FUNCTIONS, REPORT_SIZES, LIVE } from '#lib/functions.ts';
import type { FunctionName, FanOutKind } from '#lib/functions.ts';
import { bareAddress } from '#registry/mail-address.ts';
import type { AwsSandbox, ExecutionControl, ExecutionEnd } from '#sandbox/aws/index.ts';
import { REGISTRY_KEY } from '../configuration.ts';
import type { Definition } from '#sandbox/step-functions/definition.ts';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfProcess } from '#runtime/running-process.ts';
import { SERVING_FILE } from '../../daybook/stage/local-run.ts';
import type { Serving } from '../../daybook/stage/local-run.ts';

const LOCAL_STAGE = 'local';

/** What the local stage consists of, beside the sandboxes. */
interface LocalStage {
  /** The functions' variables. The stage's outputs are made of them, so that both always agree. */
  environment: Readonly<Record<string, string>>;
  /** Runs a function. */
  invoke: (name: FunctionName, event: unknown) => Promise<unknown>;
}

/** The ARN of a state machine of the local stage. */
export function stateMachineArn(machine: 'reports' | 'alerts'): string {
  return `arn:aws:states:us-east-1:000000000000:stateMachine:daybook-${LOCAL_STAGE}-${machine}`;
}

/** What the local stage's schedules and commands start, as in AWS. */
function liveStateMachineArn(machine: 'reports' | 'alerts'): string {
  return `${stateMachineArn(machine)}:${LIVE}`;
}

/** The name of a function of the local stage, as in AWS. */
function functionNameOf(name: FunctionName): string {
  return `daybook-${LOCAL_STAGE}-${name}`;
}

/** What the local stage's schedules and commands call, as in AWS. */
function liveFunctionNameOf(name: FunctionName): string {
  return `${functionNameOf(name)}:${LIVE}`;
}

/**
 * Writes the file that tells `daybook --local` how to reach this process. It is there as a whole or not at all, because a command may read it at any time.
 *
 * @param environment the variables that lead the AWS SDK to the sandboxes
 * @param clockAhead milliseconds by which the run's clock is ahead of the machine's
 */
export function writeServingFile(
  directory: string,
  environment: Record<string, string>,
  clockAhead = 0,
): void {
  const file = join(directory, SERVING_FILE);
  const serving: Serving = { stage: LOCAL_STAGE, environment, process: nameOfProcess(), clockAhead };
  // A link that somebody put there is not followed.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(serving, null, 2)}\n`, { flag: 'wx' });
  renameSync(`${file}.new`, file);
}

const SCHEDULE_GROUP = `daybook-${LOCAL_STAGE}`;

function functionArn(name: 'delivery-watch' | 'sweep'): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${liveFunctionNameOf(name)}`;
}

/** The schedules of the local stage. They are shown and never fire. */
const SCHEDULES = [
  { name: `daybook-${LOCAL_STAGE}-daily`, target: liveStateMachineArn('reports'), minutes: '0/15' },
  { name: `daybook-${LOCAL_STAGE}-alerts`, target: liveStateMachineArn('alerts'), minutes: '0/15' },
  { name: `daybook-${LOCAL_STAGE}-watch`, target: functionArn('delivery-watch'), minutes: '10/15' },
  { name: `daybook-${LOCAL_STAGE}-sweep`, target: functionArn('sweep'), minutes: '20' },
];

const EVENT_TYPES = [
  'SEND',
  'DELIVERY',
  'BOUNCE',
  'COMPLAINT',
  'REJECT',
  'DELIVERY_DELAY',
  'RENDERING_FAILURE',
];

/**
 * What a stage has around its functions, all in order: a verified domain and a configuration set, subscribers of the topic,
 * schedules, and an alarm that does not ring.
 */
function presentSurroundings(aws: AwsSandbox, { environment }: LocalStage): void {
  const {
    MAIL_FROM = '',
    SES_CONFIGURATION_SET: set,
    OPS_TOPIC_ARN: topicArn,
    OPS_RECIPIENTS = '',
  } = environment;
  const from = bareAddress(MAIL_FROM);
  aws.mailSettings.identities.set(from.slice(from.lastIndexOf('@') + 1), {
    ...(set !== undefined && { configurationSet: set }),
  });
  if (set !== undefined) {
    const eventBusArn = 'arn:aws:events:us-east-1:000000000000:event-bus/default';
    aws.mailSettings.configurationSets.set(set, {
      eventDestinations: [{ name: 'events', enabled: true, eventTypes: EVENT_TYPES, eventBusArn }],
    });
  }
  if (topicArn !== undefined) {
    for (const endpoint of OPS_RECIPIENTS.split(',').filter((address) => address !== ''))
      aws.notices.subscriptions.push({ topicArn, protocol: 'email', endpoint, confirmed: true });
  }
  for (const { name, target, minutes } of SCHEDULES) {
    aws.schedules.set(name, {
      group: SCHEDULE_GROUP,
      state: 'ENABLED',
      expression: `cron(${minutes} * * * ? *)`,
      target,
    });
  }
  aws.alarms.set(`daybook-${LOCAL_STAGE}-watch-silent`, { state: 'OK' });
}

/** The state machines that the stacks deploy, on the local stage. */
const MACHINES = [
  { machine: 'reports', kind: 'daily' },
  { machine: 'alerts', kind: 'alert' },
] as const;

/** Somebody has stopped the execution. No further function is run for it. */
class StoppedError extends Error {
  override readonly name = 'ExecutionStopped';
}

const rendered = new Map<FanOutKind, Promise<Definition>>();

/**
 * Renders the definition from the stacks when it is first needed: CDK takes seconds to load.
 *
 * @param bucket the data bucket, in place of the one that the rendering has
 */
async function definitionFor(kind: FanOutKind, bucket: string): Promise<Definition> {
  const [{ BUCKET_NAME, fanOutDefinition }, { definitionSchema }] = await Promise.all([
    import('#sandbox/step-functions/fan-out-definition.ts'),
    import('#sandbox/step-functions/definition.ts'),
  ]);
  const once = rendered.get(kind) ?? Promise.resolve(fanOutDefinition(kind));
  rendered.set(kind, once);
  const text = JSON.stringify(await once).replaceAll(`"${BUCKET_NAME}"`, JSON.stringify(bucket));
  return definitionSchema.parse(JSON.parse(text));
}

/**
 * The function whose code is called. In a rendered definition the names of functions have no hyphens: `dailyreport`. Its other
 * sizes are the same function here.
 */
function functionCalled(name: string): FunctionName {
  const isCalled = (known: string) => known.replaceAll('-', '') === name;
  const isFunctionName = (text: string): text is FunctionName => Object.hasOwn(FUNCTIONS, text);
  if (Object.keys(REPORT_SIZES).some(isCalled)) return 'daily-report';
  for (const known of Object.keys(FUNCTIONS).filter(isFunctionName)) if (isCalled(known)) return known;
  throw new Error(`the definition calls ${name}, which is no function`);
}

/** Makes executions of both state machines run on this machine: plan, items, a function for each day, both rounds. */
function presentStateMachines(aws: AwsSandbox, { environment, invoke }: LocalStage): void {
  const bucket = environment['DATA_BUCKET'] ?? '';

  async function execute(
    kind: FanOutKind,
    input: unknown,
    { signal, mapBegins }: ExecutionControl,
  ): Promise<ExecutionEnd> {
    const { runFanOut } = await import('#sandbox/step-functions/run-fan-out.ts');
    const assertGoesOn = () => {
      if (signal.aborted) throw new StoppedError('the execution was stopped');
    };
    const { status, output, error, cause } = await runFanOut(await definitionFor(kind, bucket), input, {
      mapBegins,
      invoke: async ({ functionName, event }) => {
        assertGoesOn();
        return invoke(functionCalled(functionName), event);
      },
      read: async (key) => {
        const body = await aws.s3.read(bucket, key);
        if (body === undefined) throw new Error(`there is no object ${key}`);
        return body.toString('utf8');
      },
      write: async (key, text) => {
        assertGoesOn();
        await aws.s3.write(bucket, key, text);
      },
    });
    if (status === 'SUCCEEDED') return { status, output };
    return { status, ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
  }

  for (const { machine, kind } of MACHINES)
    aws.executions.machines.set(stateMachineArn(machine), (input, control) => execute(kind, input, control));
}

function functionNames(): FunctionName[] {
  const isFunctionName = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);
  return Object.keys(FUNCTIONS).filter(isFunctionName);
}

/** `DailyReportFunction` for `daily-report`. */
function outputOf(name: FunctionName): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Function`;
}

/**
 * Makes the sandboxes look like a deployed stage: stacks with their outputs, functions and state machines. An operator's
 * command then works with them as with AWS.
 */
export function presentLocalStage(aws: AwsSandbox, stage: LocalStage): void {
  const { environment, invoke } = stage;
  const names = functionNames();
  for (const name of names) {
    aws.lambda.add(functionNameOf(name), {
      environment: Object.fromEntries(
        Object.entries(environment).filter(([variable]) => !variable.startsWith('AWS_')),
      ),
      invoke: (event) => invoke(name, event),
    });
  }
  const from = bareAddress(environment['MAIL_FROM'] ?? '');
  const outputs: Record<string, Record<string, string | undefined>> = {
    Data: { BucketName: environment['DATA_BUCKET'] },
    Functions: {
      RegistryKey: environment['REGISTRY_KEY'] ?? REGISTRY_KEY,
      CredentialsSecret: environment['CREDENTIALS_SECRET'],
      CredentialsSecretPrefix: environment['CREDENTIALS_PREFIX'],
      ServiceOrigins: environment['SERVICE_ORIGINS'],
      ...Object.fromEntries(names.map((name) => [outputOf(name), liveFunctionNameOf(name)])),
    },
    Mail: {
      TopicArn: environment['OPS_TOPIC_ARN'],
      MailFrom: from,
      Identity: from.slice(from.lastIndexOf('@') + 1),
      ConfigurationSet: environment['SES_CONFIGURATION_SET'],
      OpsRecipients: environment['OPS_RECIPIENTS'],
    },
    Schedules: {
      ReportsStateMachine: liveStateMachineArn('reports'),
      AlertsStateMachine: liveStateMachineArn('alerts'),
      ScheduleGroup: SCHEDULE_GROUP,
      Schedules: SCHEDULES.map(({ name }) => name).join(),
    },
  };
  for (const [stack, values] of Object.entries(outputs))
    aws.stacks.set(`Daybook-${LOCAL_STAGE}-${stack}`, { outputs: given(values) });
  presentStateMachines(aws, stage);
  presentSurroundings(aws, stage);
}

function given(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
