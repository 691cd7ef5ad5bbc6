import PostalMime from 'postal-mime';
import { onTestFinished } from 'vitest';
import { buildDependencies, createUnsubscribe } from '#mail/unsubscribe/create-unsubscribe.ts';
import type { Handler } from '#runtime/lambda-handler.ts';
import { startHttpApi } from '#support/page/http-api.ts';
import { defined } from '#support/assertions/defined.ts';
import type { DaybookWorld } from '../world/daybook-world.ts';
import { partsOf } from '../world/world-clock.ts';

/** The secret with the key of links: the same in every world, because a process keeps what it has read. */
const LINKS_SECRET = 'daybook/test/links-key';
const KEY = 'a key of sixty-four characters, as the stack would make one.....';

export function unsubscribeOf(world: DaybookWorld): Handler<unknown> {
  return createUnsubscribe(partsOf(buildDependencies, world.clock));
}

/** What a stage with `unsubscribe` has. @param start what its links begin with */
export function turnOn(world: DaybookWorld, start: string): void {
  world.aws.secrets.put(LINKS_SECRET, KEY);
  Object.assign(world.environment, { LINKS_SECRET, LINKS_STOPS: `${start}/u/` });
  Object.assign(process.env, world.environment);
}

/** As API Gateway serves it. From now on mails have links that stop them. `invoke`: default a cold start here. */
export async function serveStops(
  world: DaybookWorld,
  invoke: (event: unknown) => Promise<unknown> = (event) => unsubscribeOf(world)(event),
): Promise<string> {
  const api = await startHttpApi('/u/', invoke);
  onTestFinished(() => api.close());
  turnOn(world, api.url);
  return api.url;
}

type Mail = ReturnType<DaybookWorld['mails']>[number];

async function headersOf(mail: Mail | undefined): Promise<{ list: string; post: string }> {
  const { headers } = await PostalMime.parse(defined(mail).raw);
  const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  return { list: valueOf('list-unsubscribe'), post: valueOf('list-unsubscribe-post') };
}

function linkIn({ list }: { list: string }): string {
  return defined(/^<(https?:[^>]+)>/.exec(list)?.[1]);
}

/** The headers of the last mail of a kind that let its reader stop such mails. */
export function stopHeaders(world: DaybookWorld, kind: string): Promise<{ list: string; post: string }> {
  return headersOf(world.mails(kind).at(-1));
}

/** The address that stops mails like the last one of a kind. */
export async function stopLinkIn(world: DaybookWorld, kind: string): Promise<string> {
  return linkIn(await stopHeaders(world, kind));
}

/** The address that stops mails like the first one to an address. */
export async function stopLinkTo(world: DaybookWorld, address: string): Promise<string> {
  return linkIn(await headersOf(world.mails().find(({ destinations }) => destinations.includes(address))));
}
