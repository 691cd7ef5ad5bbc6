import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LakeFormationClient } from '@aws-sdk/client-lakeformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { requestHandler } from '#aws/aws-clients.ts';
import { CannotLookError } from './finding.ts';

/** Clients of the services that a check looks at. Each is made when it is first needed. */
export interface DoctorClients {
  cloudWatch: () => CloudWatchClient;
  lakeFormation: () => LakeFormationClient;
  lambda: () => LambdaClient;
  scheduler: () => SchedulerClient;
  secrets: () => SecretsManagerClient;
  ses: () => SESv2Client;
  sns: () => SNSClient;
}

const SETTINGS = { maxAttempts: 4, requestHandler: requestHandler(8_000) };

/** @param isLocal a service without a loopback address must not be looked for in AWS then */
export function createDoctorClients(isLocal: boolean): DoctorClients {
  const client = <Client>(service: string, title: string, create: () => Client) => {
    let created: Client | undefined;
    return () => {
      if (isLocal && process.env[`AWS_ENDPOINT_URL_${service}`] === undefined) {
        throw new CannotLookError(`the local run has no ${title}`);
      }
      return (created ??= create());
    };
  };
  return {
    cloudWatch: client('CLOUDWATCH', 'CloudWatch', () => new CloudWatchClient(SETTINGS)),
    lakeFormation: client('LAKEFORMATION', 'Lake Formation', () => new LakeFormationClient(SETTINGS)),
    lambda: client('LAMBDA', 'Lambda', () => new LambdaClient(SETTINGS)),
    scheduler: client('SCHEDULER', 'EventBridge Scheduler', () => new SchedulerClient(SETTINGS)),
    secrets: client('SECRETS_MANAGER', 'Secrets Manager', () => new SecretsManagerClient(SETTINGS)),
    ses: client('SESV2', 'SES', () => new SESv2Client(SETTINGS)),
    sns: client('SNS', 'SNS', () => new SNSClient(SETTINGS)),
  };
}
