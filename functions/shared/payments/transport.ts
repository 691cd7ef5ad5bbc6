import { isUtf8 } from 'node:buffer';
import {
  AnswerTooLargeError,
  ConnectionError,
  DeadlineError,
  RedirectError,
  RequestTimeoutError,
} from './errors.ts';
import type { Exchange } from './errors.ts';

/** One HTTP request. The runtime's `fetch` keeps connections alive between them. */
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

async function readBody(response: Response, exchange: Exchange): Promise<Buffer> {
  const stated = Number(response.headers.get('content-length') ?? Number.NaN);
  if (stated > LARGEST_ANSWER) throw new AnswerTooLargeError(exchange, 'the answer is larger than 8 MiB');
  // A stated length cannot lie upwards, except where the body is compressed.
  if (stated >= 0 && !response.headers.has('content-encoding')) {
    return Buffer.from(await response.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    if (!(chunk instanceof Uint8Array)) continue;
    length += chunk.length;
    if (length > LARGEST_ANSWER) throw new AnswerTooLargeError(exchange, 'the answer is larger than 8 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** The system's code of a failed connection; the error's own text may name addresses and is not used. */
function connectionCode(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return error instanceof Error ? error.name : 'unknown';
}

/**
 * Sends one request and reads its whole answer. Never follows a redirect.
 *
 * @throws {ConnectionError} when the connection fails or breaks off
 * @throws {RequestTimeoutError} when the answer is not there in time
 * @throws {DeadlineError} when the pull's time is over
 * @throws {RedirectError} when the service answers with one
 * @throws {AnswerTooLargeError} beyond 8 MiB, unpacked
 */
export async function sendRequest(request: HttpRequest, limits: TimeLimits): Promise<HttpAnswer> {
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
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      signal: giveUp.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    status = response.status;
    const exchange = { operation, status };
    if (status >= 300 && status < 400) {
      throw new RedirectError(exchange, `answered with a redirect (HTTP ${status}), which is never followed`);
    }
    const body = await readBody(response, exchange);
    // Not read with replacement characters: those would be sealed as if the service had sent them.
    const text = isUtf8(body) ? body.toString('utf8') : '';
    return { exchange, retryAfter: response.headers.get('retry-after'), text, size: body.length };
  } catch (error) {
    // Whatever is left of the answer would keep the connection.
    giveUp.abort();
    if (error instanceof RedirectError || error instanceof AnswerTooLargeError) throw error;
    const exchange = status === undefined ? { operation } : { operation, status };
    limits.signal.throwIfAborted();
    if (limits.now() >= limits.deadline) throw new DeadlineError(exchange, 'the time for the pull is over');
    if (error instanceof Error && error.name === 'AbortError') {
      if (endsWithPull) throw new DeadlineError(exchange, 'the time for the pull is over');
      throw new RequestTimeoutError(exchange, `no whole answer within ${limits.timeout / 1_000} s`);
    }
    throw new ConnectionError(exchange, connectionCode(error));
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener('abort', stop);
  }
}
