// An execution environment: one built function, one invocation after the other, with measurements of each.
import { subscribe } from 'node:diagnostics_channel';
import { longestChain } from './lambda-time.ts';
import type { Interval, ServiceRequests } from './lambda-time.ts';
import { serve } from '../child.ts';
import { loadHandler } from '../handler.ts';

/** Calls of AWS by price class. */
type AwsCalls = Record<
  's3Put' | 's3List' | 's3Get' | 's3Delete' | 'mail' | 'secret' | 'notice' | 'queue',
  number
>;

/** The measurements of one invocation. Times in milliseconds, sizes in bytes. */
export interface Invocation {
  answer: unknown;
  /** All threads of the process. */
  cpu: number;
  wall: number;
  requests: ServiceRequests;
  aws: AwsCalls;
  awsChain: number;
  /** The largest resident set of the process so far. */
  peak: number;
}

let handler: Awaited<ReturnType<typeof loadHandler>> | undefined;
let requests = noRequests();
let aws = noCalls();
let intervals: Interval[] = [];
const began = new WeakMap<object, number>();

function noRequests(): ServiceRequests {
  return { login: 0, invoices: 0, refundList: 0, refunds: 0 };
}

function noCalls(): AwsCalls {
  return { s3Put: 0, s3List: 0, s3Get: 0, s3Delete: 0, mail: 0, secret: 0, notice: 0, queue: 0 };
}

const hosts = new Map(
  (['S3', 'SES', 'SECRETS_MANAGER', 'SNS', 'SQS'] as const).map((name) => [
    new URL(process.env[`AWS_ENDPOINT_URL_${name}`] ?? 'http://nowhere').host,
    name,
  ]),
);

function kindOf(host: string, method: string, path: string): keyof AwsCalls {
  switch (hosts.get(host)) {
    case 'SES':
      return 'mail';
    case 'SECRETS_MANAGER':
      return 'secret';
    case 'SNS':
      return 'notice';
    case 'SQS':
      return 'queue';
    case 'S3':
    case undefined:
      if (method === 'DELETE') return 's3Delete';
      if (method === 'GET' || method === 'HEAD') return path.includes('list-type=2') ? 's3List' : 's3Get';
      return 's3Put';
  }
}

interface HttpRequest {
  method: string;
  path: string;
  getHeader: (name: string) => unknown;
}

const service = new URL(process.env['SERVICE_ORIGINS'] ?? 'http://nowhere').host;

function serviceRequestOf(path: string): keyof ServiceRequests {
  if (path.includes('/invoice-dashboard')) return 'invoices';
  if (/\/refund\/?(\?|$)/.test(path)) return 'refundList';
  return path.includes('/refund/') ? 'refunds' : 'login';
}

subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: HttpRequest };
  const host = String(request.getHeader('host'));
  if (host === service) {
    requests[serviceRequestOf(request.path)] += 1;
    return;
  }
  aws[kindOf(host, request.method, request.path)] += 1;
  began.set(request, performance.now());
});
subscribe('http.client.response.finish', (message) => {
  const { request } = message as { request: HttpRequest };
  const from = began.get(request);
  if (from !== undefined) intervals.push({ from, to: performance.now() });
});

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

serve({
  load: async ({ file, memory }: { file: string; memory: number }) => {
    handler = await loadHandler(file, memory);
  },
  invoke: async (event: unknown): Promise<Invocation> => {
    requests = noRequests();
    aws = noCalls();
    intervals = [];
    const from = { cpu: process.cpuUsage(), wall: performance.now() };
    const answer = await handler?.(event);
    const wall = performance.now() - from.wall;
    return {
      answer,
      cpu: milliseconds(process.cpuUsage(from.cpu)),
      wall,
      requests,
      aws,
      awsChain: longestChain(intervals),
      // Node's documentation says: kilobytes on Linux and macOS.
      peak: process.resourceUsage().maxRSS * 1_024,
    };
  },
});
