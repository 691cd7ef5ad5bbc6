import { S3Client } from '@aws-sdk/client-s3';
import { INVOICE_TYPES } from '../measure.ts';
import type { ReaderTask } from '../measure.ts';
import { byHttp } from './tuned/by-http.ts';
import { byFetch } from './tuned/read-pages.ts';
import type { Get } from './tuned/read-pages.ts';
import { tunedLoop } from './tuned/tuned-loop.ts';

async function written(task: ReaderTask, get: Get): Promise<number> {
  // The SDK adds a checksum to every upload unless it is told not to.
  const client = new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' });
  const place = { client, bucket: `bench-${process.pid}`, prefix: `${Math.round(performance.now())}/` };
  const rows = await tunedLoop({ ...task, invoiceTypes: INVOICE_TYPES }, place, get);
  client.destroy();
  return rows;
}

/** The loop that a person tunes by hand, with `fetch`. */
export function tuned(task: ReaderTask): Promise<number> {
  return written(task, byFetch);
}

/** The same loop with `node:http`. */
export function tunedHttp(task: ReaderTask): Promise<number> {
  return written(task, byHttp);
}
