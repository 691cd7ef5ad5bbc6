import { createS3Client } from '../shared/adapters/aws-clients.ts';
import type { Environment } from '../shared/adapters/environment.ts';
import { S3LedgerStore } from '../shared/adapters/s3-ledger-store.ts';
import { bareAddress } from '../shared/adapters/bare-address.ts';
import { S3MailStops } from '../shared/adapters/s3-mail-stops.ts';
import { S3TellingClaims } from '../shared/adapters/s3-telling-claims.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { Telemetry } from '../shared/adapters/telemetry.ts';
import { addressHash } from '../shared/core/keys.ts';
import type { Clock, LedgerStore, MailStopStore, OpsNotices, TellingClaims } from '../shared/ports.ts';
import { buildOpsNotices } from '../shared/wiring/ops-notices.ts';

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
