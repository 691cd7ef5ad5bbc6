import { randomUUID } from 'node:crypto';
import type { DistributedMap } from './definition.ts';
import type { ChildEnd, FanOutWorld } from './execution.ts';

/** Writes the result files of a Distributed Map, by how the children ended, and their manifest. */
export async function writeResults(
  { Label, ResultWriter }: DistributedMap,
  children: readonly ChildEnd[],
  write: FanOutWorld['write'],
  mapRunArn = `arn:aws:states:eu-central-1:111122223333:mapRun:test/${Label}:${randomUUID()}`,
) {
  const directory = `${ResultWriter.Parameters.Prefix}/${randomUUID()}`;
  const files: Record<'FAILED' | 'PENDING' | 'SUCCEEDED', { Key: string; Size: number }[]> = {
    FAILED: [],
    PENDING: [],
    SUCCEEDED: [],
  };
  for (const status of ['FAILED', 'SUCCEEDED'] as const) {
    const ended = children.filter((child) => child.status === status);
    if (ended.length === 0) continue;
    const text = JSON.stringify(ended.map(childRecord));
    const key = `${directory}/${status}_0.json`;
    await write(key, text);
    files[status].push({ Key: key, Size: Buffer.byteLength(text) });
  }
  const manifestKey = `${directory}/manifest.json`;
  const { Bucket } = ResultWriter.Parameters;
  const manifest = { DestinationBucket: Bucket, MapRunArn: mapRunArn, ResultFiles: files };
  await write(manifestKey, JSON.stringify(manifest));
  return { manifest, manifestKey };
}

/** A child in a result file. */
function childRecord(
  { status, input, output, error, cause }: ChildEnd,
  index: number,
): Record<string, unknown> {
  return {
    ...(status === 'FAILED' ? { Cause: cause, Error: error } : { Output: JSON.stringify(output) }),
    ExecutionArn: `arn:aws:states:eu-central-1:111122223333:execution:test/Map:child-${index}`,
    Input: JSON.stringify(input),
    InputDetails: { Included: true },
    Name: `child-${index}`,
    OutputDetails: { Included: true },
    RedriveCount: 0,
    RedriveStatus: 'NOT_REDRIVABLE',
    StartDate: '2026-11-21T03:00:21.000Z',
    StateMachineArn: 'arn:aws:states:eu-central-1:111122223333:stateMachine:test/Map',
    Status: status,
    StopDate: '2026-11-21T03:00:29.000Z',
  };
}
