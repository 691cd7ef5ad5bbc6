import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { buildDependencies, createLink } from '#page/link/create-link.ts';
import { readEnvironment } from '#registry/environment.ts';
import { portOf } from '#sandbox/ports.ts';

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
