import type { Environment } from '#registry/environment.ts';
import { dropIdleConnections } from '#runtime/aws-clients.ts';
import { systemClock } from '#runtime/clock.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import type { ProveDependencies } from './create-prove.ts';
import { keyAlias } from './proof.ts';
import { ProofStore } from './proof-store.ts';
import { SealedSince } from './sealed-since.ts';
import { SigningKey } from './signing-key.ts';

/** Called once per cold start. @param most pages of one proof; left out: as many as a run can do */
export function buildDependencies(
  { data, log, stage = 'local' }: Environment,
  most?: number,
): ProveDependencies {
  const s3 = createS3Client();
  const telemetry = new Telemetry('prove', log.level);
  telemetry.atBegin(dropIdleConnections);
  return {
    clock: systemClock,
    telemetry,
    proofs: new ProofStore(s3, data.bucket),
    sealed: new SealedSince(s3, data.bucket, most),
    key: new SigningKey(keyAlias(stage)),
  };
}
