import type { S3Client } from '@aws-sdk/client-s3';
import { dropIdleConnections } from '#runtime/aws-clients.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { systemClock } from '#runtime/clock.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Environment } from '#registry/environment.ts';
import { once } from '#registry/once.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import { OpsNotices } from './notices/ops-notices.ts';
import type { Publish } from './notices/ops-notices.ts';
import type { SesSettings } from './ses-mail-sender.ts';
import type { MailSender } from './mail-sender.ts';

/** Loaded and built at the first notice: most cold starts never send one. */
function publishOverSns(): Publish {
  const publisher = once(async () => (await import('./notices/sns-publisher.ts')).snsPublisher());
  return async (notice, milliseconds) => (await publisher())(notice, milliseconds);
}

function buildOpsNotices(
  environment: Environment,
  s3: S3Client,
  clock: Clock,
  telemetry: Telemetry,
): OpsNotices {
  const { data, mail, ops, ses, stage } = environment;
  const notices = new OpsNotices({
    s3,
    bucket: data.bucket,
    stage,
    runbook: ops.runbook,
    from: mail.from,
    replyTo: mail.replyTo,
    recipients: ops.recipients,
    topicArn: ops.topicArn,
    mailSender: lazyMailSender({ from: mail.from, configurationSet: ses.configurationSet }),
    publish: publishOverSns(),
    clock,
    // Names, keys and hashes only.
    log: (message, fields) => telemetry.logger.warn(message, fields),
  });
  telemetry.atBegin((remaining) => notices.begin(remaining));
  return notices;
}

export interface FunctionDependencies {
  clock: Clock;
  telemetry: Telemetry;
  opsNotices: OpsNotices;
}

/** Called once per cold start; with the S3 client that the stores share. @param functionName in logs and metrics */
export function buildFunctionDependencies(
  environment: Environment,
  functionName: string,
): FunctionDependencies & { s3: S3Client } {
  const clock = systemClock;
  const s3 = createS3Client();
  const telemetry = new Telemetry(functionName, environment.log.level);
  telemetry.atBegin(dropIdleConnections);
  return { s3, clock, telemetry, opsNotices: buildOpsNotices(environment, s3, clock, telemetry) };
}

/** Sends over SES with a client built at the first mail. If that fails, the mail was certainly not sent. */
export function lazyMailSender(settings: SesSettings): MailSender {
  let sender: MailSender | undefined;
  return {
    send: async (mail, timeout) => {
      try {
        const { SesMailSender, createMailClient } = await import('./ses-mail-sender.ts');
        sender ??= new SesMailSender({ ...settings, client: createMailClient() });
      } catch {
        return { kind: 'refused', throttled: false, reason: 'MailSenderNotLoaded' };
      }
      return sender.send(mail, timeout);
    },
  };
}
