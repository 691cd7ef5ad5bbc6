import { createS3Client } from '#aws/aws-clients.ts';
import type { Environment } from '#runtime/environment.ts';
import { S3PlanStore } from './store/s3-plan-store.ts';
import { S3RegistrySource } from '#registry/s3-registry-source.ts';
import { systemClock } from '#runtime/clock.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import type { Clock } from '#runtime/clock.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import type { PlanStore } from './store/plan-store.ts';
import type { RegistrySource } from '#registry/registry-source.ts';
import { buildOpsNotices } from '#dependencies/ops-notices.ts';

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
