// node:http and not fastify: faults cut, slow down and hold the raw connection, so half of the answers would bypass the
// framework.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import type { Behaviour } from './behaviour.ts';
import { alteredAnswer, answerInstead } from './fault-answers.ts';
import type { PaymentsFaultAction } from './faults.ts';
import type { ServiceRequest } from './operations.ts';
import type { RecordedRequest } from './recorded-requests.ts';
import type { RequestFacts } from './request-facts.ts';

interface ServerParts {
  behaviour: Behaviour;
  /** What the server must know before it answers a request. */
  read(request: IncomingMessage, body: string): ServiceRequest;
  answer(request: ServiceRequest): Answer;
  /** Records a new request. The returned record is completed when the request is answered. */
  record(facts: RequestFacts, open: number): RecordedRequest;
  /** Called with every request after its end. */
  over(request: RecordedRequest): void;
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

/** Sends an answer as the fault requires. */
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
  const { behaviour, closing } = parts;
  let open = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const serviceRequest = parts.read(request, await readBody(request));
    const { facts } = serviceRequest;
    const recorded = parts.record(facts, open);
    response.once('close', () => parts.over(recorded));
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
