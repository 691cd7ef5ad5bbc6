import type { PaymentsFaultAction } from './faults.ts';

/** The operations of the service; 'other' is any path or method it does not have. */
export type Operation = 'login' | 'refresh' | 'invoices' | 'refund' | 'refunds' | 'other';

/** What faults and latency may look at. */
export interface RequestFacts {
  method: string;
  path: string;
  operation: Operation;
  /** The query without `data`. */
  query: Record<string, string>;
  /** `page` of the query; 1 where it has none. */
  page: number;
  /** Known by the access code, or by the username at login. */
  merchantCode?: string;
}

export interface RecordedRequest {
  method: string;
  path: string;
  merchantCode?: string;
  operation: Operation;
  /** The query without `data`. */
  query: Record<string, string>;
  /** HTTP status of the answer; 0 while there is none, and for good where the connection was cut first. */
  status: number;
  /** When it came, milliseconds since 1970 by the sandbox's clock. */
  at: number;
  /** How many requests, this one included, were open when it came. */
  open: number;
  /** What it met, where it met a fault. */
  fault?: PaymentsFaultAction['kind'];
  /** Why the service refused it: what a client's writer wants to know and the service never says. */
  refusal?: string;
}

/** Older ones go, so that a benchmark does not grow without bound. */
const KEPT_REQUESTS = 10_000;

/** Appends to the same array always; from time to time the older half goes. */
export function keep(requests: RecordedRequest[], request: RecordedRequest): void {
  if (requests.length >= KEPT_REQUESTS) requests.splice(0, KEPT_REQUESTS / 2);
  requests.push(request);
}

const PATHS: readonly { method: string; path: RegExp; operation: Operation }[] = [
  { method: 'POST', path: /^\/api\/v1\/login$/, operation: 'login' },
  { method: 'POST', path: /^\/api\/v1\/token-refresh$/, operation: 'refresh' },
  { method: 'GET', path: /^\/api\/v1\/invoice-dashboard$/, operation: 'invoices' },
  { method: 'GET', path: /^\/api\/v1\/refund\/?$/, operation: 'refunds' },
  { method: 'GET', path: /^\/api\/v1\/refund\/[^/]+$/, operation: 'refund' },
];

export function operationOf(method: string, path: string): Operation {
  return PATHS.find((known) => known.method === method && known.path.test(path))?.operation ?? 'other';
}
