// This uses node:http and no framework. S3 needs the body as an unparsed stream, the path without normalising (keys may
// contain `..` and `//`), and sockets that can be cut or left waiting.
import { portOf } from '../ports.ts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished, pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { AwsFaults, FaultAction } from './faults.ts';
import { ServiceError, type Answer, type Call, type RecordedRequest, type Service } from './service.ts';

/** What the servers of one sandbox share. */
interface Surroundings {
  faults: AwsFaults;
  requests: RecordedRequest[];
  /** Milliseconds since 1970 UTC. */
  now: () => number;
}

/** How long an idle connection is kept, milliseconds: as S3 does. */
const KEEP_ALIVE = 20_000;

export type LoopbackServer = Awaited<ReturnType<typeof startLoopbackServer>>;

/** Serves `service` on a free port of 127.0.0.1. */
export async function startLoopbackServer(service: Service, surroundings: Surroundings) {
  const closing = new AbortController();
  const open = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  const server = createServer((request, response) => {
    if (forgotten.has(request.socket)) {
      request.socket.resetAndDestroy();
      return;
    }
    serve(service, surroundings, request, response, closing.signal).catch(() => {
      // The client has gone, or the sandbox closes: nobody waits for the answer.
      response.destroy();
    });
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.keepAliveTimeout = KEEP_ALIVE;
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    /** As AWS and gateways do with an idle one: the next request over it is not read, and is answered with a reset. */
    forgetConnections: (): void => {
      for (const socket of open) forgotten.add(socket);
    },
    /** Cuts every connection, also waiting ones, and ends at once. */
    close: async (): Promise<void> => {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  service: Service,
  { faults, requests, now }: Surroundings,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const at = new Date(now());
  // Named here, because Node would also tell the client for how long. AWS does not.
  if (request.headers.connection !== 'close') response.setHeader('connection', 'keep-alive');
  response.setHeader('date', (signedAt(request) ?? at).toUTCString());
  const requestId = randomUUID();
  let call: Call;
  try {
    call = await service.identify(request);
  } catch (error) {
    const refusal = asServiceError(error);
    call = {
      operation: 'Unknown',
      perform: () => {
        throw refusal;
      },
    };
  }
  const { operation, key } = call;
  const application = /(?:^| )app\/(\S+)/.exec(request.headers['user-agent'] ?? '')?.[1];
  const record: RecordedRequest = {
    service: service.name,
    operation,
    ...(key !== undefined && { key }),
    ...(application !== undefined && { application }),
    status: 0,
    at,
  };
  requests.push(record);

  const action = faults.take({ service: service.name, operation, key });
  if (action !== undefined) record.fault = action;
  const perform = async () => call.perform(requestId);
  const answer = await withFault(action, perform, response, closing).catch((error: unknown) =>
    service.refuse(asServiceError(error), requestId, request),
  );
  if (answer === undefined) return;
  try {
    await readToTheEnd(request);
    record.status = answer.status;
    await send(answer, requestId, request, response);
  } finally {
    discard(answer);
  }
}

/**
 * The time at which the client signed the request. The SDK trusts the `Date` of an answer: if its own time differs by five
 * minutes, it signs with the other time from then on and repeats a refused request. Real clients of AWS have the right
 * time. This client has it, too, although its process uses the machine's clock and the sandbox may use another.
 */
function signedAt({ headers }: IncomingMessage): Date | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date']));
  if (parts === null) return undefined;
  const [, year, month, day, hours, minutes, seconds] = parts;
  return new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
}

/** Performs the call under a fault; `undefined` when no answer is to be sent. */
async function withFault(
  action: FaultAction | undefined,
  perform: () => Promise<Answer>,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<Answer | undefined> {
  switch (action?.kind) {
    case undefined:
      return perform();
    case 'error':
      throw new ServiceError(action.status, action.code, action.message ?? action.code);
    case 'reset':
      if (action.when === 'after') await perform().then(discard, ignoreRefusal);
      response.socket?.resetAndDestroy();
      return undefined;
    case 'hang':
      if (action.when === 'after') await perform().then(discard, ignoreRefusal);
      return undefined;
    case 'delay':
      await wait(action.milliseconds, undefined, { signal: closing });
      return perform();
    case 'call': {
      await action.before?.();
      try {
        return await perform();
      } finally {
        // Also after a refusal: a request for a missing object gets its answer like any other.
        await action.after?.();
      }
    }
  }
}

/** A lost answer is lost, whether it was a success or a refusal. */
function ignoreRefusal(): void {
  return;
}

/** Closes an answer that is not read to its end. Otherwise its file would stay open. */
function discard(answer: Answer): void {
  if (answer.body !== undefined && typeof answer.body !== 'string') answer.body.destroy();
}

/** A refusal may come before the body was read. The server reads the body first, so that the client sees no broken pipe. */
async function readToTheEnd(request: IncomingMessage): Promise<void> {
  if (request.readableEnded) return;
  request.resume();
  await finished(request);
}

async function send(
  { status, headers = {}, body = '' }: Answer,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('x-amz-request-id', requestId);
  response.setHeader('x-amzn-requestid', requestId);
  if (typeof body !== 'string') {
    response.writeHead(status, headers);
    await pipeline(body, response);
    return;
  }
  // A HEAD answer has no body. Its Content-Length is that of the object.
  const length =
    request.method === 'HEAD' || status === 204 || status === 304
      ? {}
      : { 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...length, ...headers });
  response.end(body);
}

function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ServiceError(500, 'InternalError', `The sandbox failed: ${message}`);
}
