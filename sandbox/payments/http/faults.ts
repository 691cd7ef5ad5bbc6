import type { Operation, RequestFacts } from './request-facts.ts';

/** What a fault does to the request it meets. Where nothing else is said, the service has done its part before. */
export type PaymentsFaultAction =
  /** This answer in place of the service's, which does nothing; `retryAfter` in seconds or as a date. */
  | {
      kind: 'status';
      status: number;
      body?: string;
      headers?: Record<string, string>;
      retryAfter?: number | Date;
    }
  /** The plain "Internal server error occurred" body; the service does nothing. */
  | { kind: 'server-error'; status: 200 | 500 }
  /** The connection is cut: before anything is done (default), or after. No byte of an answer is sent. */
  | { kind: 'reset'; when?: 'before' | 'after' }
  /** No answer ever, until the client goes or the sandbox closes; `before` (default) nothing is done. */
  | { kind: 'hang'; when?: 'before' | 'after' }
  /** Headers and the first half of the body, then the connection is cut. */
  | { kind: 'half-body' }
  /** The first half of the body as if it were all: the content-length is right, the JSON is not. */
  | { kind: 'cut-json' }
  /** The body in pieces of `bytes`, one every `everyMilliseconds`. */
  | { kind: 'drip'; bytes: number; everyMilliseconds: number }
  /** A page of HTML, as a gateway sends it; status 502 unless given. */
  | { kind: 'html'; status?: number }
  /** A redirect to this URL; status 302 unless given. */
  | { kind: 'redirect'; location: string; status?: number }
  /** The body gzipped, with its content-encoding. */
  | { kind: 'gzip' }
  /** The right body under this content type. */
  | { kind: 'content-type'; value: string }
  /** A well-formed body of so many megabytes. */
  | { kind: 'large'; megabytes: number }
  /** A well-formed body of arrays in arrays. */
  | { kind: 'deep'; levels: number }
  /** Another body, made of the one that would have been sent (as sent: encrypted where that is). */
  | {
      kind: 'replace';
      body: (original: string, request: RequestFacts) => string | Buffer;
      status?: number;
      headers?: Record<string, string>;
    }
  /** The service's own answer, this much later. */
  | { kind: 'delay'; milliseconds: number }
  /** A hook for races: runs around the operation, which waits for it. */
  | { kind: 'call'; before?: () => Promise<void> | void; after?: () => Promise<void> | void };

/** A fault and the requests that it meets; a member left out matches every request. */
export interface PaymentsFault {
  operation?: Operation | readonly Operation[];
  merchantCode?: string;
  /** Tested against the path, without the query. */
  path?: RegExp;
  /** The `page` asked for. */
  page?: number | readonly number[];
  /** The `invoiceType` asked for. */
  invoiceType?: string;
  /** How many requests it meets; default 1, `Infinity` allowed. */
  times?: number;
  /** How many matching requests pass first; default 0. */
  skip?: number;
  action: PaymentsFaultAction;
}

interface ArmedFault {
  fault: PaymentsFault;
  toSkip: number;
  left: number;
}

function among<T>(wanted: T | readonly T[] | undefined, value: T): boolean {
  return wanted === undefined || (Array.isArray(wanted) ? wanted.includes(value) : wanted === value);
}

function matches(fault: PaymentsFault, request: RequestFacts): boolean {
  return (
    among(fault.operation, request.operation) &&
    among(fault.merchantCode, request.merchantCode) &&
    among(fault.page, request.page) &&
    among(fault.invoiceType, request.query['invoiceType']) &&
    // `search` ignores the flags g and y, with which `test` would remember where it stopped.
    (fault.path === undefined || request.path.search(fault.path) >= 0)
  );
}

/**
 * The faults in force. A request meets one fault at most: the first in the order of adding that matches and is due, so
 * that two faults added for the same operation strike two requests, one after the other.
 */
export class PaymentsFaults {
  #armed: ArmedFault[] = [];

  add(fault: PaymentsFault): void {
    this.#armed.push({ fault, toSkip: fault.skip ?? 0, left: fault.times ?? 1 });
  }

  /** Removes every fault; requests already held by one stay held. */
  clear(): void {
    this.#armed = [];
  }

  /** The action that this request meets, used up by the call; undefined for a request that is left alone. */
  take(request: RequestFacts): PaymentsFaultAction | undefined {
    for (const armed of this.#armed) {
      if (armed.left <= 0 || !matches(armed.fault, request)) continue;
      if (armed.toSkip > 0) {
        armed.toSkip -= 1;
        continue;
      }
      armed.left -= 1;
      return armed.fault.action;
    }
    return undefined;
  }
}
