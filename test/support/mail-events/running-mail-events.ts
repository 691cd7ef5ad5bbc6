import { buildDependencies } from '#mail/mail-events/dependencies.ts';
import { createMailEvents } from '#mail/mail-events/create-mail-events.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { readEnvironment } from '#registry/environment.ts';
import { suppressionKey } from '#records/storage/keys.ts';
import { membersOf } from '#support/assertions/members.ts';
import { BUCKET } from '../world/daybook-world.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';

/** `mail-events` as a cold start builds it, on the world's clock. */
export function mailEventsOf(world: DaybookWorld): Handler<void> {
  return createMailEvents({ ...buildDependencies(readEnvironment(process.env)), clock: world.clock });
}

/** The stop of an address; `undefined` when mail still goes to it. */
export async function stopOf(
  world: DaybookWorld,
  hash: string,
): Promise<Record<string, unknown> | undefined> {
  const body = await world.aws.s3.read(BUCKET, suppressionKey(hash));
  return body === undefined ? undefined : membersOf(JSON.parse(body.toString()));
}
