import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionEnvironment } from '#bin/local/configuration.ts';
import { presentLocalStage, writeServingFile } from '#bin/local/serving/local-stage.ts';
import { startAwsSandbox } from '#sandbox/aws/index.ts';
import { storedDays } from './stored-days.ts';

/*
 * A local stage whose objects are in memory, so that each request takes the same time, as it does at S3. The sandbox of S3
 * reads files, and walks through all of them for each page of a listing.
 */

/** What this worker is started with. */
export interface ManyMerchants {
  merchants: number;
  /** Milliseconds until the answer to a request begins. */
  latency: number;
  /** The day whose reports are stored. */
  day: string;
}

/** Keys in a page of a listing, as at S3. */
const PAGE = 1_000;

const { merchants, latency, day } = JSON.parse(process.argv[2] ?? '{}') as ManyMerchants;
const objects = storedDays(merchants, day);
const keys = [...objects.keys()].sort();

function listing(parameters: URLSearchParams): string {
  const prefix = parameters.get('prefix') ?? '';
  const delimiter = parameters.get('delimiter');
  const after = parameters.get('continuation-token') ?? '';
  const shown = new Set<string>();
  let isTruncated = false;
  for (const key of keys) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    const name = end === -1 ? key : key.slice(0, end + 1);
    if (name <= after || shown.has(name)) continue;
    isTruncated = shown.size === PAGE;
    if (isTruncated) break;
    shown.add(name);
  }
  const about =
    '<LastModified>2026-11-21T03:00:00.000Z</LastModified><ETag>&quot;0&quot;</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass>';
  const rows = [...shown].map((name) =>
    name.endsWith('/')
      ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key>${about}</Contents>`,
  );
  const next = isTruncated ? `<NextContinuationToken>${[...shown].at(-1) ?? ''}</NextContinuationToken>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${rows.join('')}</ListBucketResult>`;
}

function answer(url: URL, response: ServerResponse): void {
  const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'));
  const isListing = url.searchParams.has('list-type');
  const body = isListing ? listing(url.searchParams) : objects.get(key);
  if (body === undefined) {
    response.writeHead(404, { 'content-type': 'application/xml' });
    response.end('<Error><Code>NoSuchKey</Code></Error>');
    return;
  }
  response.writeHead(200, { etag: '"0"', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

let [requests, underWay, most] = [0, 0, 0];
const server = createServer((request, response) => {
  requests += 1;
  most = Math.max(most, (underWay += 1));
  setTimeout(() => {
    underWay -= 1;
    // The client asks for the bucket by its path: the endpoint is an address.
    answer(new URL(request.url ?? '/', 'http://127.0.0.1'), response);
  }, latency);
});
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('no TCP address to listen on');

const directory = await mkdtemp(join(tmpdir(), 'daybook-bench-'));
const aws = await startAwsSandbox({ directory, operator: true });
const environment = { ...aws.environment, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${address.port}` };
presentLocalStage(aws, {
  environment: functionEnvironment('https://service.example'),
  invoke: () => Promise.reject(new Error('no function runs here')),
});
writeServingFile(directory, environment, Date.parse(`${day}T12:00:00Z`) + 86_400_000 - Date.now());
process.send?.(directory);
process.on('message', () => process.send?.({ requests, most }));
process.once('disconnect', () => {
  server.closeAllConnections();
  void aws
    .close()
    .then(() => rm(directory, { recursive: true }))
    .finally(() => process.exit());
});
