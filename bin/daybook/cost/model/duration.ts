/** Requests of one invocation to the payment service, by kind. */
export type ServiceRequests = Record<'login' | 'invoices' | 'refundList' | 'refunds', number>;

/** The measured values of an invocation that its duration depends on. */
export interface Work {
  /** Milliseconds of one core. */
  cpu: number;
  requests: ServiceRequests;
  /** Calls of AWS that wait for each other. */
  awsChain: number;
}

/** Where the invocation would run. Times in milliseconds. */
export interface Place {
  /** The function's memory, MB. */
  memory: number;
  /** Latency of a request to the payment service. */
  latency: number;
  /** Latency of a call of AWS. */
  awsLatency: number;
  /** The most requests in flight (`maxConcurrency`). */
  window: number;
}

/** The memory size that has one whole vCPU (Lambda's developer guide, "Configure Lambda function memory"). */
export const FULL_CPU = 1_769;

/** Assumed latency of a small call of S3, SES or Secrets Manager in their region. Milliseconds. */
export const AWS_LATENCY = 15;

/** The default of the registry and of the bench. */
export const WINDOW = 16;

/** Invoice types of the registry's default. Their first pages are all requested at once. */
const TYPES = 4;

/** The share of a vCPU for a function with this memory. At most one, because one thread does nearly all the work. */
export function cpuShare(memory: number): number {
  return Math.min(1, memory / FULL_CPU);
}

/**
 * Rounds of requests to the payment service that follow one another. During `single` rounds the work stops: the login, the
 * first pages, page one of each longer type read again, and the refund list page by page. `streamed` rounds are full
 * windows of pages and refunds. While one is on its way, the rows of another are processed.
 */
export function rounds(requests: ServiceRequests, window: number): { single: number; streamed: number } {
  const beyond = Math.max(0, requests.invoices - TYPES);
  // A type with two pages needs two more requests after its first: page two, and page one again.
  const again = Math.min(TYPES, Math.floor(beyond / 2));
  const pages = Math.ceil((beyond - again) / window);
  return {
    single: requests.login + (requests.invoices > 0 ? 1 : 0) + (again > 0 ? 1 : 0) + requests.refundList,
    streamed: pages + Math.ceil(requests.refunds / window),
  };
}

/**
 * The duration of the invocation there, milliseconds: the rounds where work stops, then the longer one of waiting for
 * pages and processing them.
 *
 * @param fixed the part of `work.cpu` that an empty day takes; no waiting is hidden behind it
 */
export function duration(work: Work, fixed: number, place: Place): number {
  const { single, streamed } = rounds(work.requests, place.window);
  const share = cpuShare(place.memory);
  const still = Math.min(work.cpu, fixed);
  const waiting = single * place.latency + work.awsChain * place.awsLatency;
  return waiting + still / share + Math.max((work.cpu - still) / share, streamed * place.latency);
}
