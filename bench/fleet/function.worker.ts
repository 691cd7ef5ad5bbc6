// An execution environment: one built function, one invocation after the other, with measurements of each.
import { subscribe } from 'node:diagnostics_channel';
import { serve } from '../child.ts';
import { loadHandler } from '../handler.ts';

/** What is counted: requests of the payment service, and calls of AWS by price class. */
type Calls = Record<
  'service' | 's3Put' | 's3List' | 's3Get' | 's3Delete' | 'mail' | 'secret' | 'queue',
  number
>;

export interface Invocation {
  answer: unknown;
  /** Of all threads of the process, milliseconds. */
  cpu: number;
  calls: Calls;
  /** The largest resident set of the process so far, bytes. */
  peak: number;
}

let handler: Awaited<ReturnType<typeof loadHandler>> | undefined;
let calls = noCalls();

function noCalls(): Calls {
  return { service: 0, s3Put: 0, s3List: 0, s3Get: 0, s3Delete: 0, mail: 0, secret: 0, queue: 0 };
}

const HOSTS = new Map<string, keyof Calls>(
  (
    [
      ['SERVICE_ORIGINS', 'service'],
      ['AWS_ENDPOINT_URL_SES', 'mail'],
      ['AWS_ENDPOINT_URL_SECRETS_MANAGER', 'secret'],
      ['AWS_ENDPOINT_URL_SQS', 'queue'],
    ] as const
  ).map(([variable, kind]) => [new URL(process.env[variable] ?? 'http://nowhere').host, kind]),
);

function s3CallOf(method: string, path: string): keyof Calls {
  if (method === 'DELETE') return 's3Delete';
  if (method === 'GET' || method === 'HEAD') return path.includes('list-type=2') ? 's3List' : 's3Get';
  return 's3Put';
}

interface HttpRequest {
  method: string;
  path: string;
  getHeader: (name: string) => unknown;
}

subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: HttpRequest };
  calls[HOSTS.get(String(request.getHeader('host'))) ?? s3CallOf(request.method, request.path)] += 1;
});

serve({
  load: async ({ file, memory }: { file: string; memory: number }) => {
    handler = await loadHandler(file, memory);
  },
  invoke: async (event: unknown): Promise<Invocation> => {
    calls = noCalls();
    const before = process.cpuUsage();
    const answer = await handler?.(event);
    const { user, system } = process.cpuUsage(before);
    // Node's documentation says: kilobytes on Linux and macOS.
    const peak = process.resourceUsage().maxRSS * 1_024;
    return { answer, cpu: (user + system) / 1_000, calls, peak };
  },
});
