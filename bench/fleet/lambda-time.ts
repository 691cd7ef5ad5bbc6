import { MAX_CONCURRENCY } from '../days.ts';

export type ServiceRequests = Record<'login' | 'invoices' | 'refundList' | 'refunds', number>;

/** When a request began and ended, milliseconds of the same clock. */
export interface Interval {
  from: number;
  to: number;
}

/** The most requests where each began after the one before had ended. Their latencies add up. */
export function longestChain(requests: readonly Interval[]): number {
  const byEnd = requests.toSorted((one, other) => one.to - other.to || one.from - other.from);
  const depths = new Map<Interval, number>();
  // Of the requests that had ended when the current one began, and their number.
  let deepest = 0;
  let ended = 0;
  let longest = 0;
  for (const request of requests.toSorted((one, other) => one.from - other.from)) {
    for (let end = byEnd[ended]; end !== undefined && end.to <= request.from; end = byEnd[ended]) {
      const depth = depths.get(end);
      if (depth === undefined) break;
      deepest = Math.max(deepest, depth);
      ended += 1;
    }
    depths.set(request, deepest + 1);
    longest = Math.max(longest, deepest + 1);
  }
  return longest;
}

/** The measured values of an invocation that its duration in Lambda depends on. */
export interface Work {
  /** Milliseconds of one core. */
  cpu: number;
  requests: ServiceRequests;
  /** Calls of AWS that wait for each other. */
  awsChain: number;
}

/** The memory size that has one whole vCPU (Lambda's developer guide, "Configure Lambda function memory"). MB. */
const FULL_CPU = 1_769;
/** Assumed latency of a small call of S3, SES or Secrets Manager in their region. Milliseconds. */
const AWS_LATENCY = 15;
/** Invoice types of the registry's default. Their first pages are all requested at once. */
const TYPES = 4;

/**
 * How long the invocation would take in Lambda, milliseconds: the rounds of requests where work stops (the login, the first pages,
 * page one of each longer type again, the refund list page by page), then the longer one of working and waiting for full windows.
 *
 * @param fixed the part of `work.cpu` that an empty day takes; no waiting is hidden behind it
 * @param memory of the function, MB
 * @param latency of a request to the payment service, milliseconds
 */
export function duration(
  { cpu, requests, awsChain }: Work,
  fixed: number,
  memory: number,
  latency: number,
): number {
  const share = Math.min(1, memory / FULL_CPU);
  const beyond = Math.max(0, requests.invoices - TYPES);
  // A type with two pages needs two more requests after its first: page two, and page one again.
  const again = Math.min(TYPES, Math.floor(beyond / 2));
  const single = requests.login + (requests.invoices > 0 ? 1 : 0) + (again > 0 ? 1 : 0) + requests.refundList;
  const streamed =
    Math.ceil((beyond - again) / MAX_CONCURRENCY) + Math.ceil(requests.refunds / MAX_CONCURRENCY);
  const still = Math.min(cpu, fixed);
  const waiting = single * latency + awsChain * AWS_LATENCY;
  return waiting + still / share + Math.max((cpu - still) / share, streamed * latency);
}

/** A receive of a message. Milliseconds. */
interface Receive {
  /** How long its place is taken. */
  runs: number;
  /** After the beginning of the run: when the message can be received again, unless this was its last receive. */
  comesBack: number;
}

/** A message by its receives: usually one. */
export type Message = readonly Receive[];

/** A message that is done by its first receive. */
export function doneAtOnce(runs: number): Message {
  return [{ runs, comesBack: 0 }];
}

/**
 * When each message of a queue is done or put aside, milliseconds: the place that is free first gets the message that has been visible for
 * longest. @param messages in the order in which they were sent
 */
export function endsOf(messages: readonly Message[], places: number): number[] {
  const free = new Array<number>(Math.max(1, places)).fill(0);
  const ends: number[] = [];
  const hidden: { index: number; at: number; later: Message }[] = [];
  const take = (index: number, at: number, [receive, ...later]: Message) => {
    if (receive === undefined) return;
    const place = free.indexOf(Math.min(...free));
    const began = Math.max(free[place] ?? 0, at);
    free[place] = ends[index] = began + receive.runs;
    if (later.length > 0) hidden.push({ index, at: began + receive.comesBack, later });
  };
  for (const [index, message] of messages.entries()) take(index, 0, message);
  for (;;) {
    hidden.sort((one, other) => one.at - other.at);
    const first = hidden.shift();
    if (first === undefined) return ends;
    take(first.index, first.at, first.later);
  }
}
