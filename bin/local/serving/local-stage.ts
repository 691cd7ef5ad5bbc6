import { FUNCTIONS } from '#lib/functions.ts';
import type { FunctionName } from '#lib/functions.ts';
import { bareAddress } from '#registry/mail-address.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { REGISTRY_KEY } from '../configuration.ts';
import { presentStateMachines } from './local-machines.ts';
import { SCHEDULES, SCHEDULE_GROUP, presentSurroundings } from './local-surroundings.ts';
import { LOCAL_STAGE, functionNameOf, liveFunctionNameOf, liveStateMachineArn } from './stage-names.ts';
import type { LocalStage } from './stage-names.ts';

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
