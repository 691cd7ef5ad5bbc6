import { createS3Client } from '../shared/adapters/aws-clients.ts';
import type { Environment } from '../shared/adapters/environment.ts';
import { MailedOpsNotices } from '../shared/adapters/ops-notices.ts';
import { S3PlanStore } from '../shared/adapters/s3-plan-store.ts';
import { S3RegistrySource } from '../shared/adapters/s3-registry-source.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { Telemetry } from '../shared/adapters/telemetry.ts';
import type { Clock, OpsNotices, PlanStore, RegistrySource } from '../shared/ports.ts';
import { lateMailSender } from '../shared/wiring/late-mail-sender.ts';
import { publishOverSns } from '../shared/wiring/ops-topic.ts';

/** What `plan` works with. */
export interface Dependencies {
  registry: RegistrySource;
  plans: PlanStore;
  notices: OpsNotices;
  clock: Clock;
  telemetry: Telemetry;
}

/** The real ones: S3, SES, SNS and the machine's clock. */
export function createDependencies(environment: Environment): Dependencies {
  const telemetry = new Telemetry('plan', environment.LOG_LEVEL);
  const s3 = createS3Client();
  const bucket = environment.DATA_BUCKET;
  const from = environment.MAIL_FROM;
  return {
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    plans: new S3PlanStore(s3, bucket),
    notices: new MailedOpsNotices({
      s3,
      bucket,
      from,
      recipients: environment.OPS_RECIPIENTS,
      topicArn: environment.OPS_TOPIC_ARN,
      mailSender: lateMailSender({ from, configurationSet: environment.SES_CONFIGURATION_SET }),
      publish: publishOverSns(),
      clock: systemClock,
      log: (message, details) => telemetry.logger.warn(message, { details }),
    }),
    clock: systemClock,
    telemetry,
  };
}
