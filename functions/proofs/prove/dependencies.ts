import type { Environment } from '#registry/environment.ts';
import { dropIdleConnections } from '#runtime/aws-clients.ts';
import { systemClock } from '#runtime/clock.ts';
import { createS3Client } from '#runtime/s3-client.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import type { ProveDependencies } from './create-prove.ts';
import { keyAlias } from '../proof.ts';
import { ProofStore } from '../proof-store.ts';
import { SealedSince } from './sealed-since.ts';
import { SigningKey, createKmsClient } from './signing-key.ts';

/** Called once per cold start. */
export function buildDependencies({ data, log, stage = 'local' }: Environment): ProveDependencies {
  const s3 = createS3Client();
  const telemetry = new Telemetry('prove', log.level);
  telemetry.atBegin(dropIdleConnections);
  return {
    clock: systemClock,
    telemetry,
    proofs: new ProofStore(s3, data.bucket),
    sealed: new SealedSince(s3, data.bucket),
    key: new SigningKey(createKmsClient(), keyAlias(stage)),
  };
}
