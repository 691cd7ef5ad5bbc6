import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { portOf } from '#support/assertions/port-of.ts';
import { pulledPagesSchema } from '#support/faults/pulled-pages.ts';

/** The memory of `daily-report` on Lambda, megabytes. */
const FUNCTION_MEMORY = 512;
/** The memory that the runtime and the SDK need beside a bare Node, megabytes. */
const RUNTIME = 64;
/** The part of it that is the heap of the pull, megabytes. */
const HEAP = 320;

const COUNTS = { invoice_paid: '0', invoice_cancelled: '0' };
const RECORD = JSON.stringify(invoiceRecord({ id: 0 })).slice('{"id":0'.length);

/** One page of a list whose pages have so many records each; there are such of type 1 only. */
function page(type: string, number: number, ofType1: { pages: number; records: number }): Buffer {
  const { pages, records } = type === '1' ? ofType1 : { pages: 1, records: 0 };
  const total = pages * records;
  const first = number * 1_000_000;
  const data = Array.from({ length: records }, (_, index) => `{"id":${first + index}${RECORD}`);
  const around = JSON.stringify({
    status: true,
    response: {
      stats: { total_invoice_count: total, invoice_not_paid: total, ...COUNTS },
      order_stats: { total_invoice_count: 0, invoice_not_paid: null, ...COUNTS },
      invoices: {
        data: [],
        pagination: {
          total,
          count: records,
          per_page: records,
          current_page: number,
          total_pages: pages,
          page_url: '',
          next_page_url: null,
          previous_page_url: null,
        },
      },
    },
  });
  return Buffer.from(around.replace('"data":[]', `"data":[${data.join(',')}]`));
}

/** Pulls a day of such pages in a process of its own, which has as much memory as the function. */
async function pulled(pages: number, records: number) {
  const made = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://service').searchParams;
    const key = `${asked.get('invoiceType') ?? ''} ${asked.get('page') ?? ''}`;
    const type = asked.get('invoiceType') ?? '';
    const body = made.get(key) ?? page(type, Number(asked.get('page')), { pages, records });
    made.set(key, body);
    response.writeHead(200, { 'content-length': body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const worker = fileURLToPath(new URL('../support/faults/large-pages.worker.ts', import.meta.url));
  const origin = `http://127.0.0.1:${portOf(server)}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    `--max-old-space-size=${HEAP}`,
    worker,
    origin,
  ]);
  const bytes = Math.max(...[...made.values()].map(({ length }) => length));
  return {
    ...pulledPagesSchema.parse(JSON.parse(stdout)),
    bytes,
  };
}

it('pages of 7 MB are read within the memory of the function', async () => {
  const { rows, differences, error, megabytes, bytes } = await pulled(10, 7_000);
  expect({ rows, differences, error }).toEqual({ rows: 10 * 7_000, differences: 0, error: '' });
  expect(bytes).toBeGreaterThan(7_000_000);
  expect(megabytes).toBeLessThan(FUNCTION_MEMORY - RUNTIME);
});

it('pages of 50 MB are refused before they are read', async () => {
  const { rows, error, megabytes, bytes } = await pulled(1, 50_000);
  expect({ rows, error }).toEqual({ rows: 0, error: 'AnswerTooLargeError' });
  expect(bytes).toBeGreaterThan(50_000_000);
  expect(megabytes).toBeLessThan(FUNCTION_MEMORY / 2);
});
