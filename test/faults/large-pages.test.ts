import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod';
import { listening } from '#support/machine.ts';
import { invoice, invoicePage, listOf, listed } from '#support/hostile-shapes/shapes.ts';

/** The memory of `daily-report` on Lambda without the share of the runtime and the SDK, megabytes. */
const MEMORY = 512 - 64;
/** The part of it that is the heap of the pull, megabytes. */
const HEAP = 320;
const MEBIBYTE = 1024 * 1024;
const TYPES = ['1', '0', '6', '7'];
const WORKER = fileURLToPath(new URL('../support/faults/large-pages.worker.ts', import.meta.url));

/** What the worker prints. */
const pulledSchema = z.object({
  rows: z.number(),
  differences: z.number(),
  /** The name of the error, empty when the pull succeeded. */
  error: z.string(),
  megabytes: z.number(),
});

/**
 * Pulls a day of such pages in a process of its own, which has as much memory as the function.
 *
 * @param answer the page of an invoice type, by the place of the type and the number of the page
 * @returns with the bytes of the largest page
 */
async function pulled(answer: (type: number, page: number) => string) {
  const made = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://service').searchParams;
    const type = TYPES.indexOf(asked.get('invoiceType') ?? '');
    const page = Number(asked.get('page'));
    const body = made.get(`${type} ${page}`) ?? Buffer.from(answer(type, page));
    made.set(`${type} ${page}`, body);
    response.writeHead(200, { 'content-length': body.length }).end(body);
  });
  const origin = `http://${await listening(server)}`;
  const { stdout } = await promisify(execFile)(process.execPath, [
    // As on Lambda: the default of a large machine would allow more memory than a function has.
    '--max-semi-space-size=8',
    `--max-old-space-size=${HEAP}`,
    WORKER,
    origin,
  ]);
  const bytes = Math.max(...[...made.values()].map(({ length }) => length));
  return { ...pulledSchema.parse(JSON.parse(stdout)), bytes };
}

/** Pages of so many records each, of the first type only. */
function pagesOf(pages: number, records: number) {
  return (type: number, page: number) => {
    if (type !== 0) return invoicePage('', { total: 0 });
    const data = Array.from({ length: records }, (_, index) => invoice(page * 1_000_000 + index)).join(',');
    return invoicePage(data, { total: pages * records, pages, page });
  };
}

/** One invoice a page, with the text in a member that the contract does not know. */
const invoiceWith = (type: number, page: number, more: string) =>
  invoice(type * 100 + page, more === '' ? '' : `"more":${more},`);

it('pages of 7 MB are read within the memory of the function', async () => {
  const { rows, differences, error, megabytes, bytes } = await pulled(pagesOf(10, 7_000));
  expect({ rows, differences, error }).toEqual({ rows: 10 * 7_000, differences: 0, error: '' });
  expect(bytes).toBeGreaterThan(7_000_000);
  expect(megabytes).toBeLessThan(MEMORY);
});

it('pages of 50 MB are refused before they are read', async () => {
  const { rows, error, megabytes, bytes } = await pulled(pagesOf(1, 50_000));
  expect({ rows, error }).toEqual({ rows: 0, error: 'AnswerTooLargeError' });
  expect(bytes).toBeGreaterThan(50_000_000);
  expect(megabytes).toBeLessThan(512 / 2);
});

const LARGE = '12345678901234567890';

it.each(['{}', '[]'])(
  '7.4 MiB of %s and a large integer on each first page are refused before they are parsed',
  async (unit) => {
    const more = `[${LARGE},${listOf(unit, 7.4 * MEBIBYTE)}]`;
    const { error, megabytes } = await pulled((type, page) => invoicePage(invoiceWith(type, page, more)));
    expect(error).toBe('AnswerTooLargeError');
    expect(megabytes).toBeLessThan(MEMORY / 2);
  },
);

it(
  'the greatest allowed number of values on each of four first pages is read within the memory',
  { timeout: 60_000 },
  async () => {
    const more = `[${listed((index) => `{"n${index % 1000}":${LARGE}}`, 5 * MEBIBYTE)}]`;
    const { rows, error, megabytes } = await pulled((type, page) =>
      invoicePage(invoiceWith(type, page, more)),
    );
    expect({ rows, error }).toEqual({ rows: 4, error: '' });
    expect(megabytes).toBeLessThan(MEMORY);
  },
);

it('large pages behind small ones are read one at a time', { timeout: 60_000 }, async () => {
  const pages = 12;
  // The texts differ, because the writer refuses rows that only repeat themselves.
  const text = (index: number) => `"${Math.imul(index + 1, 2_654_435_761).toString(36)}"`;
  const more = `[${listed(text, 4 * MEBIBYTE)}]`;
  const { rows, error, megabytes } = await pulled((type, page) =>
    invoicePage(invoiceWith(type, page, page === 1 ? '' : more), { total: pages, pages, page }),
  );
  expect({ rows, error }).toEqual({ rows: 4 * pages, error: '' });
  expect(megabytes).toBeLessThan(MEMORY);
});
