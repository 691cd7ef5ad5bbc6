import type { PaymentsFaultAction } from './faults.ts';
import type { Operation } from './request-facts.ts';

/** A request as the sandbox remembers it. */
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
