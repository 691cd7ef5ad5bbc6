/** Requests of one invocation to the payment service, by what they ask. */
export type ServiceRequests = Record<'login' | 'invoices' | 'refundList' | 'refunds', number>;

/** What was measured of one invocation, as far as its duration depends on it. */
export interface Work {
  /** Milliseconds of one core. */
  cpu: number;
  requests: ServiceRequests;
  /** Calls of AWS of which each waits for the one before it. */
  awsChain: number;
}

/** Where it is to run. Times in milliseconds. */
export interface Place {
  /** Of the function, MB. */
  memory: number;
  /** One request of the payment service. */
  latency: number;
  /** One call of AWS. */
  awsLatency: number;
  /** Requests in flight at the most (`maxConcurrency`). */
  window: number;
}

/** The memory that comes with a whole vCPU (Lambda's developer guide, "Configure Lambda function memory"). */
export const FULL_CPU = 1_769;

/** What S3, SES and Secrets Manager take to answer a small call within their region: an assumption. Milliseconds. */
export const AWS_LATENCY = 15;

/** A registry's default, and that of the bench. */
export const WINDOW = 16;

/** Invoice types of the registry's default: as many first pages, all asked for at once. */
const TYPES = 4;

/** Share of a vCPU that a function of so much memory has. One at the most: nearly all work is that of one thread. */
export function cpuShare(memory: number): number {
  return Math.min(1, memory / FULL_CPU);
}

/**
 * Rounds of requests to the payment service that are waited for, one after another. In `single` the work stands still:
 * the login, the first pages, page one of each longer type read again, the list of refunds page by page. `streamed` are
 * full windows of pages and refunds, and rows are made of the one while the next is on its way.
 */
export function rounds(requests: ServiceRequests, window: number): { single: number; streamed: number } {
  const beyond = Math.max(0, requests.invoices - TYPES);
  // A type of two pages makes two requests beyond its first: page two, and page one again.
  const again = Math.min(TYPES, Math.floor(beyond / 2));
  const pages = Math.ceil((beyond - again) / window);
  return {
    single: requests.login + (requests.invoices > 0 ? 1 : 0) + (again > 0 ? 1 : 0) + requests.refundList,
    streamed: pages + Math.ceil(requests.refunds / window),
  };
}

/**
 * How long the invocation takes there, milliseconds: what stands still in any case, and then the longer one of waiting for
 * pages and working on them.
 *
 * @param fixed the part of `work.cpu` that an empty day takes, which hides no waiting
 */
export function duration(work: Work, fixed: number, place: Place): number {
  const { single, streamed } = rounds(work.requests, place.window);
  const share = cpuShare(place.memory);
  const still = Math.min(work.cpu, fixed);
  const waiting = single * place.latency + work.awsChain * place.awsLatency;
  return waiting + still / share + Math.max((work.cpu - still) / share, streamed * place.latency);
}
