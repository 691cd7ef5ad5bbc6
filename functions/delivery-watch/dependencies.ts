import { createS3Client } from '#aws/aws-clients.ts';
import type { Environment } from '#runtime/environment.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import { S3SealedDays } from './s3-sealed-days.ts';
import { S3SnapshotStore } from '#snapshots/s3-snapshot-store.ts';
import { S3ToldDays } from './s3-told-days.ts';
import { systemClock } from '#runtime/clock.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LedgerStore } from '#mailing/ledger-store.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import type { SealedDays } from './sealed-days.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { ToldDays } from './told-days.ts';
import { buildOpsNotices } from '#dependencies/ops-notices.ts';

/** What `delivery-watch` works with. */
export interface Dependencies {
  registry: RegistrySource;
  sealedDays: SealedDays;
  snapshots: Pick<SnapshotStore, 'lastCheck' | 'revision'>;
  ledgers: Pick<LedgerStore, 'read'>;
  notices: OpsNotices;
  toldDays: ToldDays;
  clock: Clock;
  telemetry: Telemetry;
  /** How long after its `reportAt` a report must be there, minutes. */
  deadlineMinutes: number;
}

/** The real ones: S3, SES and SNS for the notices, and the machine's clock. */
export function createDependencies(environment: Environment): Dependencies {
  const telemetry = new Telemetry('delivery-watch', environment.LOG_LEVEL);
  const s3 = createS3Client();
  const bucket = environment.DATA_BUCKET;
  return {
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    sealedDays: new S3SealedDays(s3, bucket),
    snapshots: new S3SnapshotStore(s3, bucket),
    ledgers: new S3LedgerStore(s3, bucket),
    notices: buildOpsNotices(environment, s3, systemClock, telemetry),
    toldDays: new S3ToldDays(s3, bucket, (error) => telemetry.logError(error)),
    clock: systemClock,
    telemetry,
    deadlineMinutes: environment.DELIVERY_DEADLINE_MINUTES,
  };
}
