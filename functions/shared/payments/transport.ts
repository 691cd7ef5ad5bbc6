import { isUtf8 } from 'node:buffer';
import * as http from 'node:http';
import * as https from 'node:https';
import { CODINGS } from './content-codings.ts';
import {
  AnswerTooLargeError,
  ConnectionError,
  DeadlineError,
  RedirectError,
  RequestTimeoutError,
} from './errors.ts';
import type { Exchange } from './errors.ts';

/** One HTTP request. */
export interface HttpRequest {
  operation: string;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** An answer, read to its end. */
export interface HttpAnswer {
  exchange: Exchange & { status: number };
  retryAfter: string | null;
  /** Empty where the body is not UTF-8: what is not is no JSON (RFC 8259, 8.1). */
  text: string;
  /** Bytes of the body, unpacked. */
  size: number;
}

/** When a request must have ended: after `timeout` milliseconds, and at the pull's `deadline` (milliseconds UTC). */
export interface TimeLimits {
  timeout: number;
  deadline: number;
  now: () => number;
  /** Aborts when the pull is given up. */
  signal: AbortSignal;
}

/**
 * A page of the service is tens of kilobytes; this is where an answer stops being one. Bytes. Read and parsed, the first
 * pages of four types at once take about 20 times this, and the function has 512 MiB.
 */
const LARGEST_ANSWER = 8 * 1024 * 1024;

/** Headers of every request. Firewalls refuse requests that do not name what sends them. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'node' };

/** What is told of a connection that the service has closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/** Codings one over another that are undone; nobody packs more than twice. */
const MOST_CODINGS = 4;

/** The body as it was before it was packed; nothing where it was packed otherwise, or cut off. */
async function unpacked(body: Buffer, codings: string, exchange: Exchange): Promise<Buffer> {
  const names = codings.toLowerCase().split(',').reverse();
  if (names.length > MOST_CODINGS) return Buffer.alloc(0);
  let plain = body;
  for (const name of names) {
    const unpack = CODINGS.get(name.trim());
    try {
      // A coding that nobody asked for leaves what is no JSON, and that has an error of its own.
      plain = (await unpack?.(plain, { maxOutputLength: LARGEST_ANSWER })) ?? plain;
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(exchange);
      return Buffer.alloc(0);
    }
  }
  return plain;
}

function tooLarge(exchange: Exchange): AnswerTooLargeError {
  return new AnswerTooLargeError(exchange, 'the answer is larger than 8 MiB');
}

async function readBody(response: http.IncomingMessage, exchange: Exchange): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > LARGEST_ANSWER) throw tooLarge(exchange);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    if (!(chunk instanceof Buffer)) continue;
    length += chunk.length;
    if (length > LARGEST_ANSWER) throw tooLarge(exchange);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks, length);
  const codings = response.headers['content-encoding'];
  return codings === undefined ? body : unpacked(body, codings, exchange);
}

/** The system's code of a failed connection; the error's own text may name addresses and is not used. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/**
 * Sends requests of one pull and reads their answers whole, over connections that it keeps. Never follows a redirect.
 * Node's own client, as the AWS SDK uses it: half the processor time of `fetch` (docs/performance.md).
 */
export class Transport {
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https = new https.Agent({ keepAlive: true });

  /** Ends the connections that are kept. */
  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /**
   * @throws {ConnectionError} when the connection fails or breaks off
   * @throws {RequestTimeoutError} when the answer is not there in time
   * @throws {DeadlineError} when the pull's time is over
   * @throws {RedirectError} when the service answers with one
   * @throws {AnswerTooLargeError} beyond 8 MiB, unpacked
   */
  async send(request: HttpRequest, limits: TimeLimits): Promise<HttpAnswer> {
    limits.signal.throwIfAborted();
    const { operation } = request;
    const left = limits.deadline - limits.now();
    if (left <= 0) throw new DeadlineError({ operation }, 'the time for the pull is over');
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), Math.min(limits.timeout, left));
    const endsWithPull = left <= limits.timeout;
    const stop = () => giveUp.abort();
    limits.signal.addEventListener('abort', stop, { once: true });
    let status: number | undefined;
    try {
      const response = await this.#response(request, giveUp.signal);
      status = response.statusCode ?? 0;
      const exchange = { operation, status };
      if (status >= 300 && status < 400) {
        throw new RedirectError(
          exchange,
          `answered with a redirect (HTTP ${status}), which is never followed`,
        );
      }
      const body = await readBody(response, exchange);
      // Not read with replacement characters: those would be sealed as if the service had sent them.
      const text = isUtf8(body) ? body.toString('utf8') : '';
      return { exchange, retryAfter: response.headers['retry-after'] ?? null, text, size: body.length };
    } catch (error) {
      const ranOut = giveUp.signal.aborted;
      // Whatever is left of the answer would keep the connection.
      giveUp.abort();
      if (error instanceof RedirectError || error instanceof AnswerTooLargeError) throw error;
      const exchange = status === undefined ? { operation } : { operation, status };
      limits.signal.throwIfAborted();
      if (limits.now() >= limits.deadline || (ranOut && endsWithPull)) {
        throw new DeadlineError(exchange, 'the time for the pull is over');
      }
      if (ranOut) {
        throw new RequestTimeoutError(exchange, `no whole answer within ${limits.timeout / 1_000} s`);
      }
      throw new ConnectionError(exchange, codeOf(error));
    } finally {
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', stop);
    }
  }

  async #response(request: HttpRequest, signal: AbortSignal): Promise<http.IncomingMessage> {
    const agent = request.url.startsWith('https:') ? this.#https : this.#http;
    const { sent, response } = exchanged(request, signal, agent);
    try {
      return await response;
    } catch (error) {
      // The service may have closed a kept connection before the request came: that says nothing about the service.
      const wasKept = sent.reusedSocket && CLOSED.has(codeOf(error)) && !signal.aborted;
      if (!wasKept || request.method !== 'GET') throw error;
      return exchanged(request, signal, false).response;
    }
  }
}

/** Sends the request over a connection of the agent's, or over one of its own. */
function exchanged(
  { url, method, headers, body }: HttpRequest,
  signal: AbortSignal,
  agent: http.Agent | false,
) {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const sent = (url.startsWith('https:') ? https : http).request(
    url,
    { method, headers: { ...headers, ...HEADERS }, agent, signal },
    resolve,
  );
  // Stays: what breaks after the answer began is told here, too.
  sent.on('error', reject);
  // An answer that no request asks for, such as HTTP 101, ends in nothing else, and not by the time limit either.
  sent.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  sent.end(body);
  return { sent, response: promise };
}
