import {
  createMailClient,
  createNoticeClient,
  createS3Client,
  createSecretsManagerClient,
} from '../shared/adapters/aws-clients.ts';
import type { Environment } from '../shared/adapters/environment.ts';
import { MailedOpsNotices } from '../shared/adapters/ops-notices.ts';
import { S3LedgerStore } from '../shared/adapters/s3-ledger-store.ts';
import { S3MailStops } from '../shared/adapters/s3-mail-stops.ts';
import { S3RegistrySource } from '../shared/adapters/s3-registry-source.ts';
import { S3SnapshotStore } from '../shared/adapters/s3-snapshot-store.ts';
import { watchedRefundIds } from '../shared/adapters/s3-watch-list.ts';
import { SecretCache } from '../shared/adapters/secrets-manager-reader.ts';
import { SesMailSender } from '../shared/adapters/ses-mail-sender.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { Telemetry } from '../shared/adapters/telemetry.ts';
import type { SecretReader } from '../shared/payments/credentials.ts';
import type { RegistrySource } from '../shared/ports.ts';
import type { ReportMailPorts } from './mail-revision.ts';

/** What `daily-report` works with. */
export interface Dependencies extends ReportMailPorts {
  environment: Environment;
  registry: RegistrySource;
  telemetry: Telemetry;
  /** Reads one merchant's entry of a secret. */
  secretOf: (secretName: string, merchantCode: string) => SecretReader;
  /** The refund ids that are watched for a merchant. */
  watchedRefundIds: (merchantCode: string) => Promise<string[]>;
}

/** Wires the function to AWS; built once a cold start. */
export function buildDependencies(environment: Environment): Dependencies {
  const s3 = createS3Client();
  const bucket = environment.DATA_BUCKET;
  const clock = systemClock;
  const telemetry = new Telemetry('daily-report', environment.LOG_LEVEL);
  const secrets = new SecretCache(createSecretsManagerClient(), () => clock.now());
  const from = environment.MAIL_FROM;
  const mailSender = new SesMailSender({
    client: createMailClient(),
    from,
    configurationSet: environment.SES_CONFIGURATION_SET,
  });
  return {
    environment,
    clock,
    telemetry,
    from,
    mailSender,
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    secretOf: (secretName, merchantCode) => secrets.reader(secretName, merchantCode),
    watchedRefundIds: (merchantCode) => watchedRefundIds(s3, bucket, merchantCode),
    snapshots: new S3SnapshotStore(s3, bucket),
    ledgers: new S3LedgerStore(s3, bucket),
    mailStops: new S3MailStops(s3, bucket),
    opsNotices: new MailedOpsNotices({
      s3,
      bucket,
      from,
      recipients: environment.OPS_RECIPIENTS,
      topicArn: environment.OPS_TOPIC_ARN,
      mailSender,
      sns: createNoticeClient(),
      clock,
      log: (message, details) => telemetry.logger.warn(message, details),
    }),
  };
}
