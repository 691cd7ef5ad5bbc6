import type { ServiceSettings } from '#registry/registry-schema.ts';
import type { PostJson } from '../authentication/session.ts';
import {
  AnswerTooLargeError,
  ConnectionError,
  PaymentsError,
  RateLimitedError,
  RequestTimeoutError,
  ServerError,
} from '../errors.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { RETRY, retryDelay } from './retry.ts';
import type { RetrySettings } from './retry.ts';
import { serviceUrl } from '#registry/service-origin.ts';
import { Transport, LARGEST_ANSWER } from './transport.ts';
import type { HttpAnswer, HttpRequest } from './transport.ts';

/** `p-limit` keeps removed nodes that point to the next one (docs/adr/0028-one-way-for-a-row.md). */
export class Slots {
  /** The most tasks at once. It is read whenever a task begins or ends. */
  concurrency: number;
  #active = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param concurrency 1 or more */
  constructor(concurrency: number) {
    this.concurrency = concurrency;
  }

  get active(): number {
    return this.#active;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    // If the number of slots has grown, tasks that already wait come first.
    this.#beginWaiting();
    if (this.#active < this.concurrency) this.#active += 1;
    // It counts as active before this resolves.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      this.#active -= 1;
      this.#beginWaiting();
    }
  }

  #beginWaiting(): void {
    while (this.#active < this.concurrency) {
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      this.#active += 1;
      begin();
    }
  }
}

export interface AnswerRoom {
  body: number;
  parsed: number;
}

/** Bytes for all answers in memory. The largest allowed one takes nearly all of it. */
const ALL: AnswerRoom = { body: LARGEST_ANSWER, parsed: 48 * 1024 * 1024 };
/** The most answers in memory before the size of any answer is known. */
const FIRST_WINDOW = 4;

/** How many answers may be in memory; one larger than its share waits until nothing before it is held. */
class AnswerSizes {
  readonly #most: number;
  #largest = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get window(): number {
    const fitting = this.#largest === 0 ? FIRST_WINDOW : Math.floor(1 / this.#largest);
    return Math.max(1, Math.min(this.#most, fitting));
  }

  /** How much an answer may take that is requested now. An answer that is alone may take all. */
  room(isAlone: boolean): AnswerRoom {
    const share = isAlone ? 1 : this.window;
    return { body: ALL.body / share, parsed: ALL.parsed / share };
  }

  note({ body = 0, parsed = 0 }: Partial<AnswerRoom>): void {
    this.#largest = Math.max(this.#largest, body / ALL.body, parsed / ALL.parsed);
  }

  /** @returns whether it has more room when it is alone */
  exceeded({ body }: AnswerRoom): boolean {
    this.note({ body: body * 2 });
    return body < ALL.body;
  }
}

/** Times in milliseconds. */
export interface SenderOptions {
  service: ServiceSettings;
  maxConcurrency: number;
  /** Milliseconds UTC by which the last answer must arrive. */
  deadline: number;
  now: () => number;
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  random?: (() => number) | undefined;
  requestTimeout?: number | undefined;
  retry?: RetrySettings | undefined;
}

const REQUEST_TIMEOUT = 30_000;

/** An answer is too large to be held beside others. It may be requested again when it is alone. */
export class NoRoomError extends Error {
  constructor(cause: AnswerTooLargeError) {
    super(cause.message, { cause });
  }
}

function isOverload(error: unknown): boolean {
  return (
    error instanceof RateLimitedError ||
    error instanceof ServerError ||
    error instanceof RequestTimeoutError ||
    error instanceof ConnectionError
  );
}

/** Sends requests to one service under one adaptive limit and one deadline, and retries what may pass. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #limit: AdaptiveLimit;
  readonly #slots: Slots;
  readonly #sizes: AnswerSizes;
  readonly #transport = new Transport();
  readonly #urls = new Map<string, string>();

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limit = new AdaptiveLimit(options.maxConcurrency);
    this.#sizes = new AnswerSizes(options.maxConcurrency);
    this.#slots = new Slots(this.#limit.value);
  }

  get window(): number {
    return this.#sizes.window;
  }

  close(): void {
    this.#transport.close();
  }

  urlOf(path: string): string {
    const known = this.#urls.get(path) ?? serviceUrl(this.#options.service, path).href;
    this.#urls.set(path, known);
    return known;
  }

  /** Records how much memory the parsed answer takes. Bytes, an estimate. */
  noteParsed(bytes: number): void {
    this.#sizes.note({ parsed: bytes });
  }

  readonly post: PostJson = (operation, path, body, attempts, open) => {
    const request: HttpRequest = {
      operation,
      method: 'POST',
      url: this.urlOf(path),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const send = () => this.send(request, true, open);
    return attempts === 'once' ? send() : this.retried(send);
  };

  /**
   * Waits for a slot, sends once, opens the answer, and lets the limit learn.
   * @param isAlone nothing else is held meanwhile, so the answer may take all memory
   * @param open keeps nothing of the answer's bytes; its error becomes the request's
   * @throws {PaymentsError} by class
   * @throws {NoRoomError} when the answer may be requested again once it is alone
   */
  send<T>(
    request: HttpRequest,
    isAlone: boolean,
    open: (answer: HttpAnswer, room: AnswerRoom) => T,
  ): Promise<T> {
    const { requestTimeout: timeout = REQUEST_TIMEOUT, deadline, now } = this.#options;
    return this.#slots.run(async () => {
      const { generation } = this.#limit;
      const room = this.#sizes.room(isAlone);
      // The idle time of our own thread: our own work says nothing about the service.
      const sent = performance.eventLoopUtilization();
      let answer: HttpAnswer | undefined;
      try {
        answer = await this.#transport.send(request, { timeout, deadline, now }, room.body);
        const { idle, active } = performance.eventLoopUtilization(sent);
        // The size of a login's answer says nothing about pages.
        if (request.method === 'GET') this.#sizes.note({ body: answer.body.length });
        const opened = open(answer, room);
        const inFlight = this.#slots.active;
        this.#limit.good({ generation, inFlight, elapsed: idle + active, waited: idle });
        return opened;
      } catch (error) {
        if (isOverload(error)) this.#limit.overloaded(generation);
        const isLarge = error instanceof AnswerTooLargeError;
        throw isLarge && this.#sizes.exceeded(room) ? new NoRoomError(error) : error;
      } finally {
        answer?.giveBack();
        this.#slots.concurrency = Math.min(this.#limit.value, this.window);
      }
    });
  }

  async retried<T>(attempt: () => Promise<T>): Promise<T> {
    const { now, sleep, random = Math.random, retry = RETRY, deadline } = this.#options;
    const began = now();
    for (let failures = 1; ; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof PaymentsError)) throw error;
        const delay = retryDelay(error, failures, now() - began, random(), retry);
        if (delay === undefined || now() + delay >= deadline) throw error;
        await sleep(delay, this.#transport.closing);
      }
    }
  }
}
