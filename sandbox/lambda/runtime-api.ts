import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { portOf } from '../ports.ts';

interface Invocation {
  requestId: string;
  functionArn: string;
  event: unknown;
  /** When the function is ended. Milliseconds since 1970 UTC. */
  deadline: number;
}

const failureSchema = z.object({
  errorType: z.string(),
  errorMessage: z.string(),
  trace: z.array(z.string()).optional(),
});

/** An error of an invocation, as a caller of the function reads it. */
export type Failure = z.infer<typeof failureSchema>;

export type Outcome = { answer: unknown } | { failure: Failure };

const BASE = '/2018-06-01/runtime';

/** The interface through which Lambda's runtime gets invocations, for one process. */
export type RuntimeApi = Awaited<ReturnType<typeof startRuntimeApi>>;

/** Starts the interface on loopback (https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html). */
export async function startRuntimeApi() {
  const notReady = Promise.withResolvers<Outcome>();
  let asked = Promise.withResolvers<undefined>();
  let waiting: ServerResponse | undefined;
  let underWay: { requestId: string; end: (outcome: Outcome) => void } | undefined;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(BASE, '');
    if (request.method === 'GET' && path === '/invocation/next') {
      waiting = response;
      asked.resolve(undefined);
      return;
    }
    const body: unknown = JSON.parse(await text(request));
    const own = `/invocation/${underWay?.requestId ?? ''}`;
    if (path === '/init/error') notReady.resolve({ failure: failureSchema.parse(body) });
    else if (path === `${own}/response`) underWay?.end({ answer: body });
    else if (path === `${own}/error`) underWay?.end({ failure: failureSchema.parse(body) });
    else {
      response.writeHead(404).end();
      return;
    }
    if (path !== '/init/error') underWay = undefined;
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Host and port. */
    address: `127.0.0.1:${portOf(server)}`,
    /** The error that the client reports when the function cannot be started. */
    notReady: notReady.promise,
    /** Settles when the client waits for an invocation. */
    isAsked: () => asked.promise,
    /** Gives the waiting client an invocation. @returns what the client says of it */
    give: ({ requestId, functionArn, event, deadline }: Invocation): Promise<Outcome> => {
      if (waiting === undefined) throw new Error('the client does not wait for an invocation');
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      asked = Promise.withResolvers();
      underWay = { requestId, end: resolve };
      waiting.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': String(deadline),
        'lambda-runtime-invoked-function-arn': functionArn,
        'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
      });
      waiting.end(JSON.stringify(event));
      waiting = undefined;
      return promise;
    },
    close: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
