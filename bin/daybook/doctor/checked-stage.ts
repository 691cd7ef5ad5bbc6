import { allMerchants } from '#registry/merchants.ts';
import type { Rejection } from '#registry/problem.ts';
import { RegistryError } from '#registry/registry-errors.ts';
import type { MerchantSettings } from '#registry/registry-schema.ts';
import type { Registry } from '#registry/registry.ts';
import { RegistrySource } from '#registry/registry-source.ts';
import type { Stage } from '../stage/stage.ts';
import { CannotLookError } from './finding.ts';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LakeFormationClient } from '@aws-sdk/client-lakeformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { requestHandler } from '#runtime/aws-clients.ts';

/** Clients of the services that a check looks at. Each is made when it is first needed. */
interface DoctorClients {
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
function createDoctorClients(isLocal: boolean): DoctorClients {
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

/** The registry as the functions read it. */
export interface ReadRegistry {
  registry: Registry;
  /** Why the last good one is used instead, `null` when it is not. */
  alarm: string | null;
  merchants: readonly MerchantSettings[];
  rejected: readonly Rejection[];
}

/** The stage that is checked, and what the checks share. */
export interface CheckedStage {
  stage: Stage;
  /** Milliseconds UTC. */
  now: () => number;
  clients: DoctorClients;
  /** DNS servers to ask, as addresses with or without a port. Empty: those of this machine. */
  dnsServers: readonly string[];
  /** Read once. @throws {RegistryError} when it cannot be used */
  registry: () => Promise<ReadRegistry>;
  /** The same, for a check that is about something else. @throws {CannotLookError} when it cannot be used */
  usableRegistry: () => Promise<ReadRegistry>;
}

/** Reads nothing yet. @param now milliseconds UTC */
export function createCheckedStage(
  stage: Stage,
  now: () => number,
  dnsServers: readonly string[],
): CheckedStage {
  let read: Promise<ReadRegistry> | undefined;
  const registry = () => (read ??= readRegistry(stage));
  return {
    stage,
    now,
    clients: createDoctorClients(stage.isLocal),
    dnsServers,
    registry,
    usableRegistry: async () => {
      try {
        return await registry();
      } catch (error) {
        if (error instanceof RegistryError)
          throw new CannotLookError('the registry cannot be used', { cause: error });
        throw error;
      }
    },
  };
}

async function readRegistry(stage: Stage): Promise<ReadRegistry> {
  const source = new RegistrySource(stage.s3(), stage.bucket, stage.registryKey);
  const { registry, alarm } = await source.load();
  return { registry, alarm, ...allMerchants(registry) };
}
