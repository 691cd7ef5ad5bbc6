import type { Call } from '#sandbox/step-functions/execution.ts';
import { recordOf } from '#support/assertions/record-of.ts';
import { BUCKET } from '../world/daybook-world.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

/** Takes lists of files out of the manifest that a call of `plan` is about to read. Their children are then in no file. */
export async function loseResults(
  world: DaybookWorld,
  call: Call,
  lists: readonly ('FAILED' | 'PENDING' | 'SUCCEEDED')[],
  index = 0,
): Promise<void> {
  const key = String([call.event['failedOf']].flat()[index]);
  const manifest = recordOf(JSON.parse(await world.text(key)));
  const ResultFiles = recordOf(manifest['ResultFiles']);
  for (const list of lists) ResultFiles[list] = [];
  await world.aws.s3.write(BUCKET, key, JSON.stringify({ ...manifest, ResultFiles }));
}
