import { rm } from 'node:fs/promises';
import { S3 } from '@aws-sdk/client-s3';
import { SES } from '@aws-sdk/client-ses';
import { SNS } from '@aws-sdk/client-sns';
import { SQS } from '@aws-sdk/client-sqs';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { startAwsSandbox, type AwsSandbox, type AwsSandboxOptions } from '#sandbox/aws/index.ts';
import { defined } from '#support/assertions/index.ts';
import { newDirectory } from '#support/machine.ts';

/** A sandbox for one test, with the SDK's clients; everything is removed when the test ends. */
export interface RunningSandbox extends AwsSandbox {
  directory: string;
  clients: ReturnType<typeof clientsOf>;
}

/** Starts a sandbox on a new directory, or on one that an earlier sandbox left. */
export async function runSandbox(
  earlier?: string,
  options: Omit<AwsSandboxOptions, 'directory'> = {},
): Promise<RunningSandbox> {
  const directory = earlier ?? newDirectory();
  const sandbox = await startAwsSandbox({ directory, ...options });
  const clients = clientsOf(sandbox);
  onTestFinished(async () => {
    for (const client of Object.values(clients)) client.destroy();
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { ...sandbox, directory, clients };
}

/** One attempt only, so that a test sees every answer; a test of retries makes its own client. */
export function settingsFor(service: string, { environment }: Pick<AwsSandbox, 'environment'>) {
  return {
    region: defined(environment['AWS_REGION']),
    credentials: {
      accessKeyId: defined(environment['AWS_ACCESS_KEY_ID']),
      secretAccessKey: defined(environment['AWS_SECRET_ACCESS_KEY']),
    },
    maxAttempts: 1,
    endpoint: defined(environment[`AWS_ENDPOINT_URL_${service}`], service),
  };
}

function clientsOf(sandbox: AwsSandbox) {
  return {
    s3: new S3(settingsFor('S3', sandbox)),
    secretsManager: new SecretsManager(settingsFor('SECRETS_MANAGER', sandbox)),
    ses: new SES(settingsFor('SES', sandbox)),
    sns: new SNS(settingsFor('SNS', sandbox)),
    sqs: new SQS(settingsFor('SQS', sandbox)),
  };
}
