import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { portOf } from '../ports.ts';

/** An HTTP API of API Gateway (v2) on loopback. */
export interface HttpApi {
  /** `http://127.0.0.1:<port>`: the paths of links begin after it. */
  url: string;
  close: () => Promise<void>;
}

/** What a function answers in payload format 2.0. */
const answerSchema = z.object({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

export interface HttpApiOptions {
  /** By route key, such as `GET /d/{token}`: invokes the function behind it. */
  routes: Readonly<Record<string, (event: unknown) => Promise<unknown>>>;
  /** Default 0: any free port. */
  port?: number;
}

/** The most bytes of a body that API Gateway takes. */
const LARGEST_BODY = 10_485_760;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Turns each request into an event of payload format 2.0 and the function's answer into HTTP, as API Gateway does: a path that
 * no route has is answered 404, a function that fails 500, and the names of headers come in small letters.
 */
export async function startHttpApi({ routes, port = 0 }: HttpApiOptions): Promise<HttpApi> {
  const known = Object.entries(routes).map(([routeKey, invoke]) => {
    const [method = '', path = ''] = routeKey.split(' ');
    const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    return { routeKey, method, pattern, invoke };
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = request;
    const body = await buffer(request);
    const [rawPath = '/', rawQueryString = ''] = url.split('?', 2);
    const route = known.find((one) => one.method === method && one.pattern.test(rawPath));
    const say = (status: number, message: string) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
    if (route === undefined) return void say(404, 'Not Found');
    if (body.length > LARGEST_BODY) return void say(413, 'Request Entity Too Large');
    const given = route.pattern.exec(rawPath)?.groups ?? {};
    const isText = /^(text\/|application\/(json|xml|javascript))/.test(headers['content-type'] ?? 'text/');
    const event = {
      version: '2.0',
      routeKey: route.routeKey,
      rawPath,
      rawQueryString,
      headers,
      requestContext: { domainName: headers.host, http: { method, path: rawPath }, routeKey: route.routeKey },
      pathParameters: Object.fromEntries(
        Object.entries(given).map(([name, value]) => [name, decoded(value)]),
      ),
      ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
      isBase64Encoded: body.length > 0 && !isText,
    };
    try {
      const answer = answerSchema.parse(await route.invoke(event));
      response.writeHead(answer.statusCode, answer.headers);
      response.end(Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8'));
    } catch {
      say(500, 'Internal Server Error');
    }
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
