import type { PaymentsFaultAction } from './faults.ts';
import type { Operation } from './request-facts.ts';

/** A request in the sandbox's record. */
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
  /** The fault of this request, if there was one. */
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
