import { createS3Client } from '#aws/aws-clients.ts';
import type { Environment } from '#runtime/environment.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import { bareAddress } from '#mailing/message/bare-address.ts';
import { S3MailStops } from '#mailing/s3-suppression-list.ts';
import { S3TellingClaims } from './s3-telling-claims.ts';
import { systemClock } from '#runtime/clock.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import { addressHash } from '#domain/storage/keys.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LedgerStore } from '#mailing/ledger-store.ts';
import type { MailStopStore } from '#mailing/suppression-list.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { TellingClaims } from './telling-claims.ts';
import { buildOpsNotices } from '#dependencies/ops-notices.ts';

/** What `mail-events` works with. */
export interface Dependencies {
  ledgers: LedgerStore;
  mailStops: MailStopStore;
  notices: OpsNotices;
  claims: TellingClaims;
  clock: Clock;
  telemetry: Telemetry;
  /** Hash of the address that Daybook sends from. */
  sender: string;
}

/** The real ones: S3, SES and SNS for the notices, and the machine's clock. */
export function createDependencies(environment: Environment): Dependencies {
  const telemetry = new Telemetry('mail-events', environment.LOG_LEVEL);
  const s3 = createS3Client();
  const bucket = environment.DATA_BUCKET;
  return {
    ledgers: new S3LedgerStore(s3, bucket),
    mailStops: new S3MailStops(s3, bucket),
    notices: buildOpsNotices(environment, s3, systemClock, telemetry),
    claims: new S3TellingClaims(s3, bucket),
    clock: systemClock,
    telemetry,
    sender: addressHash(bareAddress(environment.MAIL_FROM)),
  };
}
