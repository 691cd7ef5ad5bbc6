import { createS3Client } from '../shared/adapters/aws-clients.ts';
import type { Environment } from '../shared/adapters/environment.ts';
import { S3PlanStore } from '../shared/adapters/s3-plan-store.ts';
import { S3RegistrySource } from '../shared/adapters/s3-registry-source.ts';
import { systemClock } from '../shared/adapters/system-clock.ts';
import { Telemetry } from '../shared/adapters/telemetry.ts';
import type { Clock, OpsNotices, PlanStore, RegistrySource } from '../shared/ports.ts';
import { buildOpsNotices } from '../shared/wiring/ops-notices.ts';

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
  return {
    registry: new S3RegistrySource(s3, bucket, environment.REGISTRY_KEY),
    plans: new S3PlanStore(s3, bucket),
    notices: buildOpsNotices(environment, s3, systemClock, telemetry),
    clock: systemClock,
    telemetry,
  };
}
