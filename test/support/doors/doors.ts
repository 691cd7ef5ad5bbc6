import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import * as z from 'zod';
import {
  buildDependencies as partsOfUnsubscribe,
  createUnsubscribe,
} from '#mail/unsubscribe/create-unsubscribe.ts';
import { buildDependencies, createLink } from '#page/link/create-link.ts';
import { addressHash } from '#records/storage/keys.ts';
import { readEnvironment } from '#registry/environment.ts';
import { portOf } from '#sandbox/ports.ts';
import { defined } from '#support/assertions/index.ts';
import { CODE, DAY, type DaybookWorld, partsOf } from '../world/daybook-world.ts';

/** The secret with the key of links: the same in every world, because a process keeps what it has read. */
const LINKS_SECRET = 'daybook/prod/links-key';
const KEY = 'a key of sixty-four characters, as the stack would make one.....';
export const READER = `owner-${CODE}@merchants.example`;
export const READER_HASH = addressHash(READER);

/** An HTTP API of API Gateway (v2) on loopback. */
export type HttpApi = Awaited<ReturnType<typeof startHttpApi>>;

/** What a function answers in payload format 2.0. */
const answerSchema = z.object({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(''),
});

const METHODS = new Set(['GET', 'HEAD', 'POST']);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Turns each request into an event of payload format 2.0 and the function's answer into HTTP, as API Gateway does: a path or
 * method that no route has is answered 404, a function that fails 500, and the names of headers come in small letters.
 * @param start of the paths that a token follows, such as `/d/`
 * @param invoke invokes the function behind them
 */
export async function startHttpApi(start: string, invoke: (event: unknown) => Promise<unknown>) {
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = request;
    const body = await buffer(request);
    const [rawPath = '/', rawQueryString = ''] = url.split('?', 2);
    const token = rawPath.startsWith(start) ? rawPath.slice(start.length) : '';
    const say = (status: number, message: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    if (!METHODS.has(method) || token === '' || token.includes('/')) return void say(404, 'Not Found');
    const isText = /^(text\/|application\/(json|xml|javascript))/.test(headers['content-type'] ?? 'text/');
    const event = {
      version: '2.0',
      rawPath,
      rawQueryString,
      headers,
      requestContext: { domainName: headers.host, http: { method, path: rawPath } },
      pathParameters: { token: decoded(token) },
      ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
      isBase64Encoded: body.length > 0 && !isText,
    };
    try {
      const answer = answerSchema.parse(await invoke(event));
      response.writeHead(answer.statusCode, answer.headers).end(answer.body);
    } catch {
      say(500, 'Internal Server Error');
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** `http://127.0.0.1:<port>`: the paths of links begin after it. */
    url: `http://127.0.0.1:${portOf(server)}`,
    close: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The HTTP API with the function `link` of a cold start behind it. */
export function serveLinks(
  link: (event: unknown) => Promise<unknown> = (event) =>
    createLink(buildDependencies(readEnvironment(process.env)))(event),
): Promise<HttpApi> {
  return startHttpApi('/d/', link);
}

/** The variables of functions that make or read links to files. @param origin of the HTTP API */
export function linkVariables(origin: string): Record<string, string> {
  return {
    LINKS_SECRET,
    LINKS_ROLE: 'arn:aws:iam::000000000000:role/daybook-prod-linked-files',
    LINKS_FILES: `${origin}/d/`,
  };
}

/** Gives the world a key of links, and a day whose CSV is too large for a mail. */
export function seedLinkedDay(world: DaybookWorld): void {
  world.aws.secrets.put(LINKS_SECRET, KEY);
  world.payments.data.seedDay(CODE, DAY, { invoices: 40, refunds: 2 });
  for (let row = 0; row < 200; row += 1) {
    world.payments.data.insertInvoice(CODE, DAY, { description: `${row} `.padEnd(40_000, 'Kaffee — قهوة ') });
  }
}

export function linksIn(html: string, start: string): string[] {
  return [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, href]) => defined(href))
    .filter((href) => href.startsWith(start));
}

/** What a stage with `unsubscribe` has. @param origin of the HTTP API */
export function turnOnStops(world: DaybookWorld, origin: string): void {
  world.aws.secrets.put(LINKS_SECRET, KEY);
  Object.assign(world.environment, { LINKS_SECRET, LINKS_STOPS: `${origin}/u/` });
  Object.assign(process.env, world.environment);
}

/** The HTTP API with `unsubscribe` behind it. From now on mails have links that stop them. `invoke`: default a cold start here. */
export async function serveStops(
  world: DaybookWorld,
  invoke: (event: unknown) => Promise<unknown> = (event) =>
    createUnsubscribe(partsOf(partsOfUnsubscribe, world.clock))(event),
): Promise<string> {
  const api = await startHttpApi('/u/', invoke);
  onTestFinished(() => api.close());
  turnOnStops(world, api.url);
  return api.url;
}

/** The headers of the last mail of a kind that let its reader stop such mails. */
export async function stopHeaders(
  world: DaybookWorld,
  kind: string,
  to = '',
): Promise<{ list: string; post: string }> {
  const mails = world.mails(kind).filter(({ destinations }) => to === '' || destinations.includes(to));
  const { headers } = await PostalMime.parse(defined(mails.at(-1)).raw);
  const valueOf = (name: string) => headers.find(({ key }) => key === name)?.value ?? '';
  return { list: valueOf('list-unsubscribe'), post: valueOf('list-unsubscribe-post') };
}

/** The address that stops mails like the last one of a kind. @param to left out: of any reader */
export async function stopLinkIn(world: DaybookWorld, kind: string, to?: string): Promise<string> {
  const { list } = await stopHeaders(world, kind, to);
  return defined(/^<(https?:[^>]+)>/.exec(list)?.[1]);
}
