import type { IncomingMessage, ClientRequest } from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { AnswerBody, BodyMemory } from './answer-body.ts';
import {
  AnswerTooLargeError,
  ConnectionError,
  DeadlineError,
  RedirectError,
  RequestTimeoutError,
} from '../errors.ts';
import type { Exchange } from '../errors.ts';

export class Attempt {
  isOver = false;
  #sent: ClientRequest | undefined;

  begin(sent: ClientRequest): void {
    this.#sent = sent;
    if (this.isOver) sent.destroy();
  }

  giveUp(): void {
    this.isOver = true;
    this.#sent?.destroy();
  }
}

/**
 * The attempts under way. Places are used again: a removed listener of an AbortSignal, and an old table of a
 * Set, still point to the next one, and V8 would keep each answer
 * (docs/adr/0028-one-way-for-a-row.md).
 */
export class Attempts {
  readonly #places: (Attempt | undefined)[] = [];

  add(attempt: Attempt): number {
    const free = this.#places.indexOf(undefined);
    const place = free === -1 ? this.#places.length : free;
    this.#places[place] = attempt;
    return place;
  }

  remove(place: number): void {
    this.#places[place] = undefined;
  }

  giveUp(): void {
    for (const attempt of this.#places) attempt?.giveUp();
  }
}

// An import would also load what `node:http` only passes on, Node's fetch: a fifth of a cold start.
const http = process.getBuiltinModule('node:http');

export interface HttpRequest {
  operation: string;
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface HttpAnswer {
  exchange: Exchange & { status: number };
  retryAfter: string | null;
  contentType: string | undefined;
  /** Unpacked. It may be anything, also not UTF-8. */
  body: Buffer;
  /** Gives the memory of the body to another answer. Nobody may read the body any more. */
  giveBack: () => void;
}

/** Milliseconds; `deadline` is UTC. */
interface TimeLimits {
  timeout: number;
  deadline: number;
  now: () => number;
}

/** Bytes, packed or not. A page of the service has tens of kilobytes; a larger body is not accepted. */
export const LARGEST_ANSWER = 8 * 1024 * 1024;

/** Headers of every request. Firewalls refuse requests without a user agent. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'node' };

const CLOSED = new Set(['ECONNRESET', 'EPIPE']);

/** Made once, because every request ends with this event, and an error costs more than the rest of its end. */
const CLOSED_WITHOUT_ANSWER = Object.assign(new Error('closed'), { code: 'ECONNRESET' });

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const unzip = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);
const unwrap = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate);
const unwrapRaw = promisify<Buffer, { maxOutputLength: number }, Buffer>(inflateRaw);

/** The lower half of the first byte names zlib's only method. Services also send the bare format. */
const [METHOD, DEFLATED] = [0x0f, 0x08];

const CODINGS = new Map<string, Unpack>([
  ['gzip', unzip],
  ['x-gzip', unzip],
  [
    'deflate',
    (body, options) => (((body[0] ?? 0) & METHOD) === DEFLATED ? unwrap : unwrapRaw)(body, options),
  ],
  ['br', promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress)],
]);

/** The most codings of one body. Nobody packs a body more than twice. */
const MOST_CODINGS = 4;

/** The body as it came when it has another coding or is cut off: then it is no JSON, which has its own error. */
async function unpacked(body: Buffer, codings: string, exchange: Exchange, largest: number): Promise<Buffer> {
  const names = codings.toLowerCase().split(',').reverse();
  if (names.length > MOST_CODINGS) return body;
  let plain = body;
  for (const name of names) {
    const unpack = CODINGS.get(name.trim());
    try {
      plain = (await unpack?.(plain, { maxOutputLength: largest })) ?? plain;
    } catch (error) {
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(exchange);
      return body;
    }
  }
  return plain;
}

function tooLarge(exchange: Exchange): AnswerTooLargeError {
  return new AnswerTooLargeError(exchange, 'the answer is larger than 8 MiB');
}

/** Bytes of headers and framing that are allowed besides the body, however they are sent. */
const FRAMING = 128 * 1024;

/** @param largest bytes of the body that are read, packed or not */
async function readBody(
  response: IncomingMessage,
  exchange: Exchange,
  largest: number,
  memory: BodyMemory,
): Promise<Pick<HttpAnswer, 'body' | 'giveBack'>> {
  const stated = Number(response.headers['content-length'] ?? 0);
  if (stated > largest) throw tooLarge(exchange);
  const body = new AnswerBody(stated, memory);
  const { socket } = response;
  const before = socket.bytesRead;
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  // Not `for await`, which makes an iterator and its listeners for each answer.
  response.on('data', (chunk: Buffer) => {
    try {
      if (body.length + chunk.length > largest) throw tooLarge(exchange);
      body.add(chunk);
      // A chunk of one byte takes six bytes, and as much work as one of thousands.
      if (socket.bytesRead - before > 2 * body.length + FRAMING) {
        throw new AnswerTooLargeError(exchange, 'the answer comes in chunks of a few bytes');
      }
    } catch (error) {
      response.destroy();
      reject(error);
    }
  });
  response.on('error', reject);
  response.on('end', () => {
    bytesAtEnd.set(socket, socket.bytesRead);
    resolve(undefined);
  });
  response.on('close', () => reject(CLOSED_WITHOUT_ANSWER));
  await promise;
  const codings = response.headers['content-encoding'];
  const bytes =
    codings === undefined ? body.bytes() : await unpacked(body.bytes(), codings, exchange, largest);
  return { body: bytes, giveBack: () => body.giveBack() };
}

/** The error's own text is not used, because it may hold addresses. */
function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/**
 * Sends the requests of one pull over kept connections and reads whole answers; never follows a redirect.
 * Node's own client needs half the processor time of `fetch` (docs/performance.md).
 */
export class Transport {
  readonly #http = new http.Agent({ keepAlive: true });
  readonly #https = new https.Agent({ keepAlive: true });
  readonly #bodies = new BodyMemory();
  readonly #attempts = new Attempts();
  readonly #closing = new AbortController();
  /** By address without a query. Thousands of requests have the same one. */
  readonly #targets = new Map<string, https.RequestOptions>();

  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Later requests are refused. */
  close(): void {
    this.#closing.abort();
    this.#attempts.giveUp();
    this.#http.destroy();
    this.#https.destroy();
    this.#bodies.close();
  }

  /**
   * Sends one request and reads its answer.
   * @param largest bytes of the answer that are read, packed or not
   * @throws {ConnectionError} when the connection fails or breaks
   * @throws {RequestTimeoutError} when the answer is late
   * @throws {DeadlineError} when the pull's time is over
   * @throws {RedirectError} when the service answers with a redirect
   * @throws {AnswerTooLargeError} when the answer is larger than `largest`
   */
  async send(
    request: HttpRequest,
    limits: TimeLimits,
    largest: number = LARGEST_ANSWER,
  ): Promise<HttpAnswer> {
    this.closing.throwIfAborted();
    const { operation } = request;
    const left = limits.deadline - limits.now();
    if (left <= 0) throw new DeadlineError({ operation }, 'the time for the pull is over');
    const attempt = new Attempt();
    const place = this.#attempts.add(attempt);
    const timer = setTimeout(() => attempt.giveUp(), Math.min(limits.timeout, left));
    const endsWithPull = left <= limits.timeout;
    let status: number | undefined;
    try {
      const response = await this.#response(request, attempt);
      status = response.statusCode ?? 0;
      const exchange = { operation, status };
      if (status >= 300 && status < 400) {
        throw new RedirectError(
          exchange,
          `answered with a redirect (HTTP ${status}), which is never followed`,
        );
      }
      const read = await readBody(response, exchange, largest, this.#bodies);
      const { 'retry-after': retryAfter = null, 'content-type': contentType } = response.headers;
      return { exchange, retryAfter, contentType, ...read };
    } catch (error) {
      const ranOut = attempt.isOver;
      // An answer that is not read to its end would keep the connection open.
      attempt.giveUp();
      if (error instanceof RedirectError || error instanceof AnswerTooLargeError) throw error;
      const exchange = status === undefined ? { operation } : { operation, status };
      this.closing.throwIfAborted();
      if (limits.now() >= limits.deadline || (ranOut && endsWithPull)) {
        throw new DeadlineError(exchange, 'the time for the pull is over');
      }
      if (ranOut) {
        throw new RequestTimeoutError(exchange, `no whole answer within ${limits.timeout / 1_000} s`);
      }
      throw new ConnectionError(exchange, codeOf(error));
    } finally {
      clearTimeout(timer);
      this.#attempts.remove(place);
    }
  }

  async #response(request: HttpRequest, attempt: Attempt): Promise<IncomingMessage> {
    const options = this.#options(request);
    const first = exchanged(request, options, attempt);
    try {
      return await first.response;
    } catch (error) {
      // The service may have closed a kept connection before the request came: this says nothing about it.
      const wasClosed = first.sent.reusedSocket && CLOSED.has(codeOf(error)) && request.method === 'GET';
      if (attempt.isOver || (first.isSent() && !wasClosed)) throw error;
      return exchanged(request, { ...options, agent: false }, attempt).response;
    }
  }

  /** @throws {TypeError} when the address is no URL */
  #options({ method, url, headers }: HttpRequest): https.RequestOptions {
    const query = url.indexOf('?');
    const end = query === -1 ? url.length : query;
    const address = url.slice(0, end);
    let target = this.#targets.get(address);
    if (target === undefined) {
      const { protocol, hostname, port, path } = urlToHttpOptions(new URL(address));
      target = { protocol, hostname, port, path };
      this.#targets.set(address, target);
    }
    const agent = target.protocol === 'https:' ? this.#https : this.#http;
    const path = `${target.path ?? '/'}${url.slice(end)}`;
    return { ...target, path, method, headers: { ...headers, ...HEADERS }, agent };
  }
}

/** When a connection's last answer ended. What comes after and before a request is unasked for. */
const bytesAtEnd = new WeakMap<Socket, number>();

/** Calls back after the event loop has looked at every connection. */
function afterAllWasRead(then: () => void): void {
  // The first call may come within the round of the loop that is under way.
  setImmediate(() => setImmediate(then));
}

/**
 * What a kept connection sent since its last answer is read first, so that an answer nobody asked for is not
 * taken as this request's: the connection is closed.
 */
function exchanged({ body }: HttpRequest, options: https.RequestOptions, attempt: Attempt) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { request } = options.protocol === 'https:' ? https : http;
  let isSent = false;
  const sent = request(options, (response) => {
    if (isSent) resolve(response);
    else sent.destroy();
  });
  attempt.begin(sent);
  // This listener stays: an error after the start of the answer arrives here too.
  sent.on('error', reject);
  // An unexpected answer, such as HTTP 101, causes no other event, and no timeout either.
  sent.on('close', () => reject(CLOSED_WITHOUT_ANSWER));
  const send = () => {
    isSent = true;
    sent.end(body);
  };
  const sendIfQuiet = () => {
    if (sent.destroyed) return;
    const { socket } = sent;
    if (socket !== null && bytesAtEnd.get(socket) === socket.bytesRead) send();
    else sent.destroy();
  };
  if (sent.reusedSocket) afterAllWasRead(sendIfQuiet);
  else send();
  return { sent, response: promise, isSent: () => isSent };
}
