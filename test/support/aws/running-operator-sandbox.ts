import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { onTestFinished } from 'vitest';
import type { AwsSandboxOptions } from '#sandbox/aws/index.ts';
import { defined } from '#support/assertions/defined.ts';
import { clientSettings, runSandbox } from './running-sandbox.ts';
import type { RunningSandbox } from './running-sandbox.ts';

interface RunningOperatorSandbox extends RunningSandbox {
  clients: RunningSandbox['clients'] & ReturnType<typeof operatorClients>;
}

/** A sandbox for one test, with the services that an operator's command calls and the SDK's clients for them. */
export async function runOperatorSandbox(
  options: Omit<AwsSandboxOptions, 'directory' | 'operator'> = {},
): Promise<RunningOperatorSandbox> {
  const sandbox = await runSandbox(undefined, { ...options, operator: true });
  const clients = operatorClients(sandbox);
  onTestFinished(() => {
    for (const client of Object.values(clients)) client.destroy();
  });
  return { ...sandbox, clients: { ...sandbox.clients, ...clients } };
}

function operatorClients(sandbox: RunningSandbox) {
  const settings = (service: string) => ({
    ...clientSettings(sandbox),
    endpoint: defined(sandbox.environment[`AWS_ENDPOINT_URL_${service}`], service),
  });
  return {
    cloudFormation: new CloudFormationClient(settings('CLOUDFORMATION')),
    cloudWatch: new CloudWatchClient(settings('CLOUDWATCH')),
    scheduler: new SchedulerClient(settings('SCHEDULER')),
    sesV2: new SESv2Client(settings('SESV2')),
    lambda: new LambdaClient(settings('LAMBDA')),
  };
}
