import type { S3Client } from '@aws-sdk/client-s3';
import { createS3Client, dropIdleConnections } from '#aws/aws-clients.ts';
import type { OpsNotices } from '#mailing/ops/ops-notices.ts';
import { systemClock } from '#runtime/clock.ts';
import type { Clock } from '#runtime/clock.ts';
import type { Environment } from '#runtime/environment.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import { buildOpsNotices } from './ops-notices.ts';

/** What every function works with. */
export interface FunctionDependencies {
  clock: Clock;
  telemetry: Telemetry;
  opsNotices: OpsNotices;
}

/**
 * Builds them, and the S3 client that the function's stores share. Called once per cold start.
 *
 * @param functionName the function's name in its logs and metrics
 */
export function buildFunctionDependencies(
  environment: Environment,
  functionName: string,
): FunctionDependencies & { s3: S3Client } {
  const clock = systemClock;
  const s3 = createS3Client();
  const telemetry = new Telemetry(functionName, environment.LOG_LEVEL);
  telemetry.atBegin(dropIdleConnections);
  return { s3, clock, telemetry, opsNotices: buildOpsNotices(environment, s3, clock, telemetry) };
}
