import { FUNCTIONS } from '#lib/functions.ts';
import type { FunctionName } from '#lib/functions.ts';
import { bareAddress } from '#mailing/message/bare-address.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { REGISTRY_KEY } from '../configuration.ts';

/** The name of the local run's stage. */
export const LOCAL_STAGE = 'local';

/** What the local stage consists of, beside the sandboxes. */
export interface LocalStage {
  /** The functions' variables. The stage's outputs are made of them, so that both always agree. */
  environment: Readonly<Record<string, string>>;
  /** Runs a function. */
  invoke: (name: FunctionName, event: unknown) => Promise<unknown>;
}

/** The ARN of a state machine of the local stage. */
export function stateMachineArn(machine: 'reports' | 'alerts'): string {
  return `arn:aws:states:us-east-1:000000000000:stateMachine:daybook-${LOCAL_STAGE}-${machine}`;
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
 * Makes the sandboxes look like a deployed stage: stacks with their outputs, and functions that can be invoked. An
 * operator's command then works with them as with AWS.
 */
export function presentLocalStage(aws: AwsSandbox, { environment, invoke }: LocalStage): void {
  const deployedName = (name: FunctionName) => `daybook-${LOCAL_STAGE}-${name}`;
  const names = functionNames();
  for (const name of names) {
    aws.lambda.add(deployedName(name), {
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
      CredentialsSecretPrefix: environment['CREDENTIALS_SECRET_PREFIX'],
      ServiceOrigins: environment['SERVICE_ORIGINS'],
      ...Object.fromEntries(names.map((name) => [outputOf(name), deployedName(name)])),
    },
    Mail: {
      TopicArn: environment['OPS_TOPIC_ARN'],
      MailFrom: from,
      Identity: from.slice(from.lastIndexOf('@') + 1),
      ConfigurationSet: environment['SES_CONFIGURATION_SET'],
      OpsRecipients: environment['OPS_RECIPIENTS'],
    },
    Schedules: {
      ReportsStateMachine: stateMachineArn('reports'),
      AlertsStateMachine: stateMachineArn('alerts'),
      ScheduleGroup: `daybook-${LOCAL_STAGE}`,
      Schedules: ['daily', 'alerts', 'watch', 'sweep'].map((name) => `daybook-${LOCAL_STAGE}-${name}`).join(),
    },
  };
  for (const [stack, values] of Object.entries(outputs))
    aws.stacks.set(`Daybook-${LOCAL_STAGE}-${stack}`, { outputs: given(values) });
}

function given(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
