import { FaultBoard, type AnyFault, type WaitingAction } from '../../fault-board.ts';
import type { Operation, RequestFacts } from './request-facts.ts';

/** What a fault does to its request. Unless it says otherwise, the service has done its part before. */
export type PaymentsFaultAction =
  /** This answer instead of the service's, which does nothing; `retryAfter` in seconds or as a date. */
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
  /** Headers and the first half of the body, then the connection is cut. */
  | { kind: 'half-body' }
  /** The first half of the body as if it were complete: the content-length is right, the JSON is not. */
  | { kind: 'cut-json' }
  /** The body in pieces of `bytes`, one every `everyMilliseconds`. */
  | { kind: 'drip'; bytes: number; everyMilliseconds: number }
  /** A page of HTML, as a gateway sends it; default status 502. */
  | { kind: 'html'; status?: number }
  /** A redirect to this URL; default status 302. */
  | { kind: 'redirect'; location: string; status?: number }
  /** The body gzipped, with its content-encoding. */
  | { kind: 'gzip' }
  /** The right body with this content type. */
  | { kind: 'content-type'; value: string }
  /** A well-formed body of this many megabytes. */
  | { kind: 'large'; megabytes: number }
  /** A well-formed body of nested arrays. */
  | { kind: 'deep'; levels: number }
  /** A body made from the one to send (as sent: encrypted where it is). */
  | {
      kind: 'replace';
      body: (original: string, request: RequestFacts) => string | Buffer;
      status?: number;
      headers?: Record<string, string>;
    }
  | WaitingAction;

/** A fault and the requests that it applies to. A missing member matches every request. */
export interface PaymentsFault extends AnyFault {
  operation?: Operation | readonly Operation[];
  merchantCode?: string;
  /** Tested against the path, without the query. */
  path?: RegExp;
  page?: number;
  invoiceType?: string;
  action: PaymentsFaultAction;
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
    // `search` ignores the flags g and y. With them `test` would remember its last position.
    (fault.path === undefined || request.path.search(fault.path) >= 0)
  );
}

export type PaymentsFaults = ReturnType<typeof createFaults>;

export function createFaults() {
  return new FaultBoard<PaymentsFault, RequestFacts>(matches);
}
