import { buildDependencies, createMailEvents } from '#mail/mail-events/create-mail-events.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { suppressionKey } from '#records/storage/keys.ts';
import { membersOf } from '#support/assertions/members.ts';
import { BUCKET, type DaybookWorld } from '../world/daybook-world.ts';
import { partsOf } from '../world/world-clock.ts';
import { sesEvent, type Sample } from './ses-events.ts';

export function mailEventsOf(world: DaybookWorld): Handler<void> {
  return createMailEvents(partsOf(buildDependencies, world.clock));
}

/** Tells `mail-events` what happened to the last mail that went to an address. */
export async function happensTo(world: DaybookWorld, address: string, sample: Sample): Promise<void> {
  const mail = world.mails().findLast(({ destinations }) => destinations.includes(address));
  await mailEventsOf(world)(await sesEvent(sample, mail));
}

/** The stop of an address; `undefined` when mail still goes to it. */
export async function stopOf(
  world: DaybookWorld,
  hash: string,
): Promise<Record<string, unknown> | undefined> {
  const body = await world.aws.s3.read(BUCKET, suppressionKey(hash));
  return body === undefined ? undefined : membersOf(JSON.parse(body.toString()));
}
