import { createS3Client } from '#aws/aws-clients.ts';
import type { Environment } from '#runtime/environment.ts';
import { S3AlertStateStore } from '#alerting/s3-alert-state-store.ts';
import { S3LedgerStore } from '#mailing/s3-ledger-store.ts';
import { S3Listing } from './s3-listing.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import { S3SnapshotStore } from '#snapshots/s3-snapshot-store.ts';
import { systemClock } from '#runtime/clock.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import type { AlertStateStore } from '#alerting/alert-state-store.ts';
import type { Clock } from '#runtime/clock.ts';
import type { LedgerStore } from '#mailing/ledger-store.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import type { SnapshotStore } from '#snapshots/snapshot-store.ts';
import type { StoredObjects } from './stored-objects.ts';
import { buildOpsNotices } from '#dependencies/ops-notices.ts';
import type { Failures } from './failures.ts';

/** What `sweep` works with. */
export interface Dependencies {
  objects: StoredObjects;
  snapshots: Pick<SnapshotStore, 'revision'>;
  ledgers: LedgerStore;
  alertStates: Pick<AlertStateStore, 'read'>;
  registry: RegistrySource;
  notices: OpsNotices;
  clock: Clock;
  telemetry: Telemetry;
  /** How long after a run's time was over its mail is settled by somebody else, minutes. */
  unsettledAfterMinutes: number;
}

/** What one sweep works with. */
export interface SweepRun extends Dependencies {
  failures: Failures;
}

/** The real ones: S3, SES and SNS for the notices, and the machine's clock. */
export function createDependencies(environment: Environment): Dependencies {
  const telemetry = new Telemetry('sweep', environment.LOG_LEVEL);
  const s3 = createS3Client();
  const bucket = environment.DATA_BUCKET;
  return {
    objects: new S3Listing(s3, bucket),
    snapshots: new S3SnapshotStore(s3, bucket),
    ledgers: new S3LedgerStore(s3, bucket),
    alertStates: new S3AlertStateStore(s3, bucket),
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    notices: buildOpsNotices(environment, s3, systemClock, telemetry),
    clock: systemClock,
    telemetry,
    unsettledAfterMinutes: environment.SWEEP_UNSETTLED_AFTER_MINUTES,
  };
}
