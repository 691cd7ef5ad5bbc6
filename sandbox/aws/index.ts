import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventBridgeService, objectCreated, type EventBus } from './event-bridge.ts';
import { createFaults } from './faults.ts';
import { startLoopbackServer, type LoopbackServer } from './loopback-server.ts';
import { KeyStore, kmsService } from './kms.ts';
import { MailStore, sesService } from './ses.ts';
import {
  athenaAccountService,
  cloudFormationService,
  cloudWatchService,
  lakeFormationService,
  schedulerService,
  serviceQuotasService,
  type AccountState,
  type StackStore,
  type AlarmStore,
  type LakeSettings,
  type ScheduleStore,
} from './operator/one-operation.ts';
import { CALLER, stsService } from './sts.ts';
import { FunctionStore, lambdaService } from './operator/lambda.ts';
import { MailSettings, sesV2Service } from './operator/ses-v2.ts';
import { ObjectFiles } from './s3/files/object-files.ts';
import { s3Service } from './s3/server.ts';
import { S3Store } from './s3/store.ts';
import { SecretStore, secretsManagerService } from './secrets-manager.ts';
import type { RecordedRequest, Service } from './service.ts';
import { NoticeStore, snsService } from './sns.ts';
import { QueueStore } from './sqs/queue-store.ts';
import { sqsService } from './sqs/service.ts';

export type { EventBus } from './event-bridge.ts';
export type { Fault, FaultAction } from './faults.ts';
export type { SentMail } from './ses.ts';
export type { RecordedRequest } from './service.ts';
export type { Notice } from './sns.ts';
export type { QueuedMessage } from './sqs/queue-store.ts';
export { knownErrors } from './known-errors.ts';

export interface AwsSandboxOptions {
  /** Objects are the plain files `<directory>/s3/<bucket>/<key>`, mails `<directory>/mail/<n>-….eml`, queues `<directory>/queues/queues.sqlite`, events `<directory>/events.jsonl`. */
  directory: string;
  /** Starts the services that only an operator's command calls, too, and keeps the versions of objects. Default: not, because the functions do not need them. */
  operator?: boolean;
  /** The current time, milliseconds since 1970 UTC, for `Date` headers, objects, mails, secrets and queues. Default: the machine's clock. */
  now?: () => number;
}

/**
 * KMS, S3, Secrets Manager, SES v1, SNS, SQS, STS and EventBridge's bus on loopback, for the unchanged AWS SDK. With `operator`, also those that
 * only an operator's command calls.
 */
export type AwsSandbox = Awaited<ReturnType<typeof startAwsSandbox>>;

/** Starts the services. A second start on the same directory finds the objects of the first, with their ETags. */
export async function startAwsSandbox({ directory, operator = false, now = Date.now }: AwsSandboxOptions) {
  await mkdir(directory, { recursive: true });
  const keys = new KeyStore();
  const bus: EventBus = { events: [], refusals: 0 };
  const files = new ObjectFiles(directory, now, operator, (bucket, object) =>
    bus.onObject?.(objectCreated(bucket, object), object.key),
  );
  const secrets = new SecretStore(now);
  const mail = new MailStore(join(directory, 'mail'), now);
  const notices = new NoticeStore();
  const queues = new QueueStore(now, join(directory, 'queues'));
  const lambda = new FunctionStore();
  const stacks: StackStore = new Map();
  const mailSettings = new MailSettings(now);
  const alarms: AlarmStore = new Map();
  const lakeSettings: LakeSettings = { iamOnly: { databases: true, tables: true } };
  const account: AccountState = { workGroups: new Set(), athenaQueries: 200 };
  const schedules: ScheduleStore = new Map();
  const caller = { arn: CALLER };
  const faults = createFaults();
  const requests: RecordedRequest[] = [];
  const surroundings = { faults, requests, now };
  const servers: LoopbackServer[] = [];
  const start = async (service: Service) => {
    const server = await startLoopbackServer(service, surroundings);
    servers.push(server);
    return server.url;
  };
  const environment: Record<string, string> = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'sandbox',
    AWS_SECRET_ACCESS_KEY: 'sandbox',
    AWS_ENDPOINT_URL_KMS: await start(kmsService(keys)),
    AWS_ENDPOINT_URL_S3: await start(s3Service(files)),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: await start(secretsManagerService(secrets)),
    AWS_ENDPOINT_URL_SES: await start(sesService(mail)),
    AWS_ENDPOINT_URL_SNS: await start(snsService(notices)),
    AWS_ENDPOINT_URL_SQS: await start(sqsService(queues)),
    AWS_ENDPOINT_URL_EVENTBRIDGE: await start(eventBridgeService(bus, join(directory, 'events.jsonl'))),
    AWS_ENDPOINT_URL_STS: await start(stsService(caller)),
    ...(operator && {
      AWS_ENDPOINT_URL_ATHENA: await start(athenaAccountService(account)),
      AWS_ENDPOINT_URL_CLOUDFORMATION: await start(cloudFormationService(stacks)),
      AWS_ENDPOINT_URL_CLOUDWATCH: await start(cloudWatchService(alarms)),
      AWS_ENDPOINT_URL_LAKEFORMATION: await start(lakeFormationService(lakeSettings)),
      AWS_ENDPOINT_URL_LAMBDA: await start(lambdaService(lambda)),
      AWS_ENDPOINT_URL_SCHEDULER: await start(schedulerService(schedules)),
      AWS_ENDPOINT_URL_SERVICE_QUOTAS: await start(serviceQuotasService(account)),
      AWS_ENDPOINT_URL_SESV2: await start(sesV2Service(mailSettings)),
    }),
  };
  return {
    /** The variables that give the SDK its endpoints, region and (dummy) credentials. */
    environment,
    /** Keys that sign; none is there at the start. */
    keys,
    s3: new S3Store(files),
    secrets,
    mail,
    notices,
    queues,
    bus,
    // What the operator's services answer. A test or the local run sets it.
    lambda,
    stacks,
    mailSettings,
    alarms,
    lakeSettings,
    account,
    schedules,
    /** Who calls, as STS says it. */
    caller,
    faults,
    /** Every request, in the order in which the sandbox parsed it. */
    requests,
    /** Forgets every open connection without a word. The next request over it is answered with a reset. */
    forgetConnections: () => {
      for (const server of servers) server.forgetConnections();
    },
    /** Closes every connection, also waiting ones. Objects and mails stay on the disk. */
    close: async (): Promise<void> => {
      await Promise.all(servers.map((server) => server.close()));
      queues.close();
    },
  };
}
