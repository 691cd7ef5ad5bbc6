import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** What a function is given. */
export interface Invocation {
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

/** How an invocation ended. */
export type Outcome = { answer: unknown } | { failure: Failure };

const BASE = '/2018-06-01/runtime';

/**
 * The interface through which Lambda's runtime gets invocations and says how they ended, for one process.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApi {
  /** Host and port. */
  readonly address: string;
  /** The error that the client reports when the function cannot be started. */
  readonly notReady: Promise<Outcome>;
  readonly #server: Server;
  readonly #notReady = Promise.withResolvers<Outcome>();
  #waiting: ((invocation: Invocation) => void) | undefined;
  #asked = Promise.withResolvers<undefined>();
  #underWay: { requestId: string; end: (outcome: Outcome) => void } | undefined;

  private constructor(server: Server, address: string) {
    this.#server = server;
    this.address = address;
    this.notReady = this.#notReady.promise;
    server.on('request', (request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<RuntimeApi> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP address to listen on');
    return new RuntimeApi(server, `127.0.0.1:${address.port}`);
  }

  /** Settles when the client waits for an invocation. */
  async isAsked(): Promise<undefined> {
    return this.#asked.promise;
  }

  /** Gives the waiting client an invocation. @returns what the client says of it */
  give(invocation: Invocation): Promise<Outcome> {
    const give = this.#waiting;
    if (give === undefined) throw new Error('the client does not wait for an invocation');
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#waiting = undefined;
    this.#asked = Promise.withResolvers();
    this.#underWay = { requestId: invocation.requestId, end: resolve };
    give(invocation);
    return promise;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(BASE, '');
    if (request.method === 'GET' && path === '/invocation/next') {
      this.#wait(response);
      return;
    }
    const body: unknown = JSON.parse(await text(request));
    if (path === '/init/error') this.#notReady.resolve({ failure: failureSchema.parse(body) });
    else if (path === `/invocation/${this.#underWay?.requestId ?? ''}/response`) this.#end({ answer: body });
    else if (path === `/invocation/${this.#underWay?.requestId ?? ''}/error`)
      this.#end({ failure: failureSchema.parse(body) });
    else {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
  }

  #wait(response: ServerResponse): void {
    this.#waiting = ({ requestId, functionArn, event, deadline }) => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': requestId,
        'lambda-runtime-deadline-ms': String(deadline),
        'lambda-runtime-invoked-function-arn': functionArn,
        'lambda-runtime-trace-id': 'Root=1-00000000-000000000000000000000000;Sampled=0',
      });
      response.end(JSON.stringify(event));
    };
    this.#asked.resolve(undefined);
  }

  #end(outcome: Outcome): void {
    this.#underWay?.end(outcome);
    this.#underWay = undefined;
  }
}
