import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { invoice, invoicePage, listOf, listed } from '#support/hostile-shapes/answers.ts';
import { portOf } from '#support/assertions/port-of.ts';
import { pulledPagesSchema } from '#support/faults/pulled-pages.ts';

/** The memory of `daily-report` on Lambda without the share of the runtime and the SDK, megabytes. */
const MEMORY = 512 - 64;
/** The part of it that is the heap of the pull, megabytes. */
const HEAP = 320;

const TYPES = ['1', '0', '6', '7'];

/** Pulls a day of such pages, of all four types, in a process of its own that has as much memory as the function. */
async function pulled(answer: (id: number, page: number) => string) {
  const made = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://service').searchParams;
    const type = TYPES.indexOf(asked.get('invoiceType') ?? '');
    const page = Number(asked.get('page'));
    const key = `${type} ${page}`;
    const body = made.get(key) ?? Buffer.from(answer(type * 100 + page, page));
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
    // As on Lambda: the default of a large machine would allow more memory than a function has.
    '--max-semi-space-size=8',
    `--max-old-space-size=${HEAP}`,
    worker,
    origin,
  ]);
  return pulledPagesSchema.parse(JSON.parse(stdout));
}

const LARGE = '12345678901234567890';

it.each([
  ['empty objects', '{}'],
  ['empty arrays', '[]'],
])(
  '7.4 MiB of %s and a large integer on each first page are refused before they are parsed',
  async (_, unit) => {
    const more = `[${LARGE},${listOf(unit, 7.4 * 1024 * 1024)}]`;
    const { error, megabytes } = await pulled((id) => invoicePage(invoice(id, `"more":${more},`)));
    expect(error).toBe('AnswerTooLargeError');
    expect(megabytes).toBeLessThan(MEMORY / 2);
  },
);

it(
  'the greatest allowed number of values on each of four first pages is read within the memory',
  { timeout: 60_000 },
  async () => {
    const objects = listed((index) => `{"n${index % 1000}":${LARGE}}`, 5 * 1024 * 1024);
    const answer = (id: number) => invoicePage(invoice(id, `"more":[${objects}],`));
    const { rows, error, megabytes } = await pulled(answer);
    expect({ rows, error }).toEqual({ rows: 4, error: '' });
    expect(megabytes).toBeLessThan(MEMORY);
  },
);

it('large pages behind small ones are read one at a time', { timeout: 60_000 }, async () => {
  const pages = 12;
  // The texts differ, because the writer refuses rows that only repeat themselves.
  const text = (index: number) => `"${Math.imul(index + 1, 2_654_435_761).toString(36)}"`;
  const more = `[${listed(text, 4 * 1024 * 1024)}]`;
  const answer = (id: number, page: number) =>
    invoicePage(invoice(id, page === 1 ? '' : `"more":${more},`), { total: pages, pages, page });
  const { rows, error, megabytes } = await pulled(answer);
  expect({ rows, error }).toEqual({ rows: 4 * pages, error: '' });
  expect(megabytes).toBeLessThan(MEMORY);
});
