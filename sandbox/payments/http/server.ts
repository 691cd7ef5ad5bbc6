import { gzipSync } from 'node:zlib';
// node:http and not fastify: faults cut, slow down and hold the raw connection, so half of the answers would bypass the
// framework.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Behaviour } from './behaviour.ts';
import { ERROR_BODIES, jsonAnswer, type Answer } from './envelopes.ts';
import type { PaymentsFaultAction } from './faults.ts';
import type { ServiceRequest } from './operations.ts';
import type { Service } from '../service.ts';
import { readRequest } from './read-request.ts';
import type { Operation, RequestFacts } from './request-facts.ts';

const HTML =
  '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>\n';

const MEGABYTE = 1_048_576;

function largeBody(megabytes: number): Buffer {
  const head = '{"status":true,"message":"';
  const tail = '","response":null}';
  const filling = Math.max(0, Math.round(megabytes * MEGABYTE) - head.length - tail.length);
  return Buffer.concat([Buffer.from(head), Buffer.alloc(filling, 'x'), Buffer.from(tail)]);
}

/** The answer that a fault gives instead of the service; undefined if the service answers itself. */
function answerInstead(action: PaymentsFaultAction | undefined): Answer | undefined {
  switch (action?.kind) {
    case 'status': {
      const { retryAfter } = action;
      const wait = retryAfter instanceof Date ? retryAfter.toUTCString() : String(retryAfter);
      const headers = { ...(retryAfter !== undefined && { 'retry-after': wait }), ...action.headers };
      return jsonAnswer(action.status, action.body ?? '', headers);
    }
    case 'server-error':
      return jsonAnswer(action.status, ERROR_BODIES.serverError.body);
    case 'html':
      return jsonAnswer(action.status ?? 502, HTML, { 'content-type': 'text/html; charset=utf-8' });
    case 'redirect':
      return jsonAnswer(action.status ?? 302, '', { location: action.location });
    case 'large':
      return jsonAnswer(200, largeBody(action.megabytes));
    case 'deep':
      return jsonAnswer(200, '['.repeat(action.levels) + ']'.repeat(action.levels));
    default:
      return undefined;
  }
}

/** The service's answer, changed by a fault. */
function alteredAnswer(
  action: PaymentsFaultAction | undefined,
  answer: Answer,
  request: RequestFacts,
): Answer {
  const { status, headers, body } = answer;
  switch (action?.kind) {
    case 'gzip':
      return { status, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(body) };
    case 'content-type':
      return { status, headers: { ...headers, 'content-type': action.value }, body };
    case 'cut-json':
      return { status, headers, body: body.subarray(0, Math.floor(body.length / 2)) };
    case 'replace':
      return jsonAnswer(action.status ?? status, action.body(body.toString('utf8'), request), {
        ...headers,
        ...action.headers,
      });
    default:
      return answer;
  }
}

export interface RecordedRequest {
  method: string;
  path: string;
  merchantCode?: string;
  operation: Operation;
  /** The query without `data`. */
  query: Record<string, string>;
  /** HTTP status of the answer. It is 0 before the answer, and stays 0 if the connection was cut first. */
  status: number;
  /** When the request came, milliseconds since 1970 by the sandbox's clock. */
  at: number;
  /** How many requests were open when it came, including this one. */
  open: number;
  fault?: PaymentsFaultAction['kind'];
  /** Why the service refused it. It helps a client's developer, and the real service never says it. */
  refusal?: string;
}

/** Older requests are removed, so that a benchmark needs bounded memory. */
const KEPT_REQUESTS = 10_000;

/** Always appends to the same array, and sometimes removes its older half. */
export function keep(requests: RecordedRequest[], request: RecordedRequest): void {
  if (requests.length >= KEPT_REQUESTS) requests.splice(0, KEPT_REQUESTS / 2);
  requests.push(request);
}

interface ServerParts {
  service: Service;
  answer: (request: ServiceRequest) => Answer;
  /** Gets every request. A record is completed when its request is answered. */
  requests: RecordedRequest[];
  now: () => number;
  /** Called with every request after its end. */
  onRequest?: ((request: RecordedRequest) => void) | undefined;
  /** Aborted when the sandbox closes, so that everything that waits ends. */
  closing: AbortSignal;
}

const LONGEST_BODY = 65_536;
/** Long enough that a client can keep a connection between its tests. */
const KEEP_ALIVE_MILLISECONDS = 60_000;
/** Lets the first half of a body arrive before the reset. */
const HALF_BODY_MILLISECONDS = 20;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length <= LONGEST_BODY) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function latency(
  { latencyMilliseconds }: Behaviour,
  facts: RequestFacts,
  closing: AbortSignal,
): Promise<void> {
  const wait = typeof latencyMilliseconds === 'number' ? latencyMilliseconds : latencyMilliseconds(facts);
  if (wait > 0) await sleep(wait, undefined, { signal: closing });
}

async function deliver(
  response: ServerResponse,
  answer: Answer,
  action: PaymentsFaultAction | undefined,
  closing: AbortSignal,
): Promise<void> {
  const { body } = answer;
  response.writeHead(answer.status, { ...answer.headers, 'content-length': body.length });
  if (action?.kind === 'half-body') {
    response.write(body.subarray(0, Math.floor(body.length / 2)));
    await sleep(HALF_BODY_MILLISECONDS, undefined, { signal: closing });
    response.socket?.resetAndDestroy();
    return;
  }
  if (action?.kind === 'drip') {
    const bytes = Math.max(1, action.bytes);
    for (let at = 0; at < body.length && !response.destroyed; at += bytes) {
      response.write(body.subarray(at, at + bytes));
      await sleep(action.everyMilliseconds, undefined, { signal: closing });
    }
    response.end();
    return;
  }
  response.end(body);
}

/** The HTTP server of a sandbox, not yet listening. */
export function createPaymentsServer(parts: ServerParts): Server {
  const { service, requests, now, closing } = parts;
  const { behaviour } = service;
  let open = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const serviceRequest = readRequest(service, request, await readBody(request));
    const { facts } = serviceRequest;
    const { page: _page, ...known } = facts;
    const recorded: RecordedRequest = { ...known, status: 0, at: now(), open };
    keep(requests, recorded);
    response.once('close', () => parts.onRequest?.(recorded));
    const action = behaviour.faults.take(facts);
    if (action !== undefined) recorded.fault = action.kind;
    await latency(behaviour, facts, closing);
    if (action?.kind === 'delay') await sleep(action.milliseconds, undefined, { signal: closing });

    const before = (action?.kind === 'reset' || action?.kind === 'hang') && action.when !== 'after';
    if (action?.kind === 'call') await action.before?.();
    const answer = before ? undefined : (answerInstead(action) ?? parts.answer(serviceRequest));
    if (action?.kind === 'call') await action.after?.();

    if (answer?.refusal !== undefined) recorded.refusal = answer.refusal;
    if (action?.kind === 'hang') return;
    if (action?.kind === 'reset' || answer === undefined) {
      response.socket?.resetAndDestroy();
      return;
    }
    const sent = alteredAnswer(action, answer, facts);
    recorded.status = sent.status;
    await deliver(response, sent, action, closing);
  }

  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    // An error here comes from a closing sandbox or from a hook. In both cases there is no answer.
    serve(request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE_MILLISECONDS;
  return server;
}
