import type { S3Client } from '@aws-sdk/client-s3';
import type { Environment } from '#runtime/environment.ts';
import { MailedOpsNotices } from '#mailing/ops/mailed-ops-notices.ts';
import type { Telemetry } from '#runtime/telemetry.ts';
import type { Clock } from '#runtime/clock.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import { lateMailSender } from './late-mail-sender.ts';
import { publishOverSns } from './ops-topic.ts';

/** Notifies ops by SES and SNS, within a limited time of each invocation. */
export function buildOpsNotices(
  environment: Environment,
  s3: S3Client,
  clock: Clock,
  telemetry: Telemetry,
): OpsNotices {
  const from = environment.MAIL_FROM;
  const notices = new MailedOpsNotices({
    s3,
    bucket: environment.DATA_BUCKET,
    stage: environment.STAGE,
    runbook: environment.RUNBOOK_URL,
    from,
    replyTo: environment.REPLY_TO,
    recipients: environment.OPS_RECIPIENTS,
    topicArn: environment.OPS_TOPIC_ARN,
    mailSender: lateMailSender({ from, configurationSet: environment.SES_CONFIGURATION_SET }),
    publish: publishOverSns(),
    clock,
    // Names, keys and hashes only.
    log: (message, fields) => telemetry.logger.warn(message, fields),
  });
  telemetry.atBegin((remaining) => notices.begin(remaining));
  return notices;
}
