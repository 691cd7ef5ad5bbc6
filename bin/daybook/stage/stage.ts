import type { S3Client } from '@aws-sdk/client-s3';
import { createS3Client } from '#runtime/aws-clients.ts';
import type { Lines } from './lines.ts';
import { readStageOutputs } from './stage-outputs.ts';
import type { StageOutputs } from './stage-outputs.ts';

/** A stage that a command works with. */
export interface Stage extends StageOutputs {
  /** Such as `prod`; `local` for a local run. */
  name: string;
  /** Whether it is a local run. */
  isLocal: boolean;
  /** The client of its bucket, made when it is first needed and shared. Region, credentials and endpoint are the standard ones. */
  s3: () => S3Client;
  lines: Lines;
}

/**
 * Connects to a stage: finds its resources by the outputs of its stacks.
 *
 * @throws {CommandError} when there is no such stage
 */
export async function connectStage(name: string, isLocal: boolean, lines: Lines): Promise<Stage> {
  const outputs = await readStageOutputs(name, lines);
  let s3: S3Client | undefined;
  // Not a copy: an output that is missing is an error only where it is read.
  return Object.assign(outputs, { name, isLocal, lines, s3: () => (s3 ??= createS3Client()) });
}
