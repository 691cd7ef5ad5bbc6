import { afterEach, describe, expect, it, vi } from 'vitest';
import { InvoiceTranscoder } from '#domain/transcoding/invoice-transcoder.ts';
import { listInAnswer, pathInAnswer } from '#domain/transcoding/list-in-answer.ts';
import { ownBytes } from '#domain/transcoding/row-transcoder.ts';
import { invoice, invoicePage, invoiceWith, listOf, listed } from '#support/hostile-shapes/answers.ts';
import { ORIGIN } from '#support/transcoding/both-ways.ts';

const MEBIBYTE = 1024 * 1024;
const [SMALL, LARGE] = [MEBIBYTE / 2, 4 * MEBIBYTE];
/** The greatest allowed growth from the small page to the large one. Linear cost grows 8 times, quadratic 64 times. */
const MOST_GROWTH = 24;
/** The greatest allowed cost of a large page, as a multiple of an ordinary page of its size. */
const MOST = 12;
/** Below this, noise is larger than the growth. Milliseconds. */
const SHORT = 20;
/** How often a shape is measured before it counts as too dear. */
const TRIES = 4;
/** Bytes of memory for lines, as a multiple of the page. All buffers count, also those that were given up for larger ones. */
const MOST_MEMORY = 36;

const PATH = pathInAnswer(['response', 'invoices', 'data']);

type Shape = (bytes: number) => string;
const inRecord =
  (name: string, value: Shape): Shape =>
  (bytes) =>
    invoicePage(`${invoiceWith(name, value(bytes))},${invoice(2)}`);
const text = (unit: string): Shape => {
  const bytes = Buffer.byteLength(unit);
  return (size) => `"${unit.repeat(Math.floor(size / bytes))}"`;
};
const endless =
  (value: Shape): Shape =>
  (bytes) =>
    value(bytes).slice(0, -1);
const inText = (unit: string) => inRecord('description', text(unit));
const records =
  (make: (index: number) => string): Shape =>
  (bytes) =>
    invoicePage(listed(make, bytes));
const beforeList =
  (value: Shape): Shape =>
  (bytes) =>
    invoicePage(invoice(1)).replace('"response":', () => `"a":${value(bytes)},"response":`);

const ordinary = records(invoice);

const SHAPES: Record<string, Shape> = {
  'a text of ordinary characters': inText('a'),
  'a text of backslashes': inText('\\\\'),
  'a text of an odd number of backslashes': (bytes) => inText('\\')(bytes + 1 - (bytes % 2)),
  'a text of quotes': inText('\\"'),
  'a text of quotes, and an escape at its end': inRecord(
    'description',
    (bytes) => `"${'\\"'.repeat(bytes / 2)}\\n"`,
  ),
  'a text of commas': inText(','),
  'a text of commas, and a character of private use at its end': inRecord(
    'url',
    (bytes) => `"${','.repeat(bytes)}\ue000"`,
  ),
  'a text of control characters': inText('\\u0001'),
  'a text of line breaks': inText('\\r\\n'),
  'a text of lone surrogates': inText('\\ud800'),
  'a text of characters of private use': inText('\ue000'),
  'a text of wide characters': inText('€'),
  'texts with an escape each': records((index) => invoice(index).replace('two coffees', 'a\\nb')),
  'quotes without end': inText('"'),
  'a text without end': inRecord('description', endless(text('a'))),
  'a text of escapes without end': inRecord('description', endless(text('\\n'))),
  'a list without end': inRecord('rentperiod', (bytes) => `[${'1,'.repeat(bytes / 2)}`),
  'a number without end': inRecord('rentperiod', (bytes) => '1'.repeat(bytes)),
  'a fraction without end': inRecord('rentperiod', (bytes) => `1.${'1'.repeat(bytes)}`),
  'an integer without end': inRecord('invoice_status', (bytes) => '1'.repeat(bytes)),
  'an amount without end': inRecord('amount', (bytes) => `"${'1'.repeat(bytes)}.000"`),
  'blanks before a value': inRecord('rentperiod', (bytes) => `${' '.repeat(bytes)}1`),
  'open brackets': inRecord('rentperiod', (bytes) => '['.repeat(bytes)),
  'open braces': inRecord('rentperiod', (bytes) => '{"a":'.repeat(bytes / 5)),
  'brackets that are closed': inRecord('products', (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  'many products': inRecord('products', (bytes) => `[${listOf('{"id":1}', bytes)}]`),
  'many small lists of products': records((index) =>
    invoice(index).replace('"products":[]', `"products":[${listOf('{"b":1,"a":2}', 4_000)}]`),
  ),
  'numbers that are longer when they are printed': records((index) =>
    invoice(index)
      .replaceAll(':null', `:[${listOf('1e20', 4_500)}]`)
      .replace(/"spliturl":[^\]]*\]/, '"spliturl":null'),
  ),
  'open values of numbers that are longer when they are printed': records((index) =>
    invoice(index).replace('"rentperiod":null', `"rentperiod":[${listOf('1e20', 4_500)}]`),
  ),
  'open values of empty texts': records((index) =>
    invoice(index).replace('"rentperiod":null', `"rentperiod":[${listOf('""', 2_500)}]`),
  ),
  'names that differ by case only': records((index) =>
    invoice(index).replace(
      '"rentperiod":null',
      `"rentperiod":{${listed((at) => `"${'a'.repeat(at % 50)}${at}":0`, 4_000)}}`,
    ),
  ),
  'a million texts': inRecord('payment_method', (bytes) => `[${listOf('""', bytes)}]`),
  'a million texts without end': inRecord('payment_method', (bytes) => `[${listOf('""', bytes)}`),
  'one giant text in a list': inRecord('payment_method', (bytes) => `[${text('a,')(bytes)}]`),
  'a last record that is none': (bytes) => invoicePage(`${listed(invoice, bytes)},1`),
  'records in another order': records((index) => `{"zebra":1,${invoice(index).slice(1)}`),
  'brackets before the list': beforeList((bytes) => '[1,'.repeat(bytes / 4) + '1' + ']'.repeat(bytes / 4)),
  'open brackets before the list': beforeList((bytes) => '['.repeat(bytes)),
  'quotes before the list': beforeList(text('\\"')),
  'members before the list': beforeList((bytes) => `1,${listed((index) => `"n${index}":"}"`, bytes)}`),
  'names that begin like the right one': beforeList(
    (bytes) => `1,${listed((index) => `"respons${index}":[]`, bytes)}`,
  ),
};

const own = ownBytes(ORIGIN);

/** Reads a page in a transcoder of its own. @returns milliseconds of processor time, and bytes of memory for lines */
function cost(page: Buffer): { time: number; memory: number } {
  const transcoder = new InvoiceTranscoder(new Set());
  let memory = 0;
  const allocate = Buffer.allocUnsafeSlow.bind(Buffer);
  vi.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => {
    memory += size;
    return allocate(size);
  });
  const before = process.cpuUsage();
  const start = listInAnswer(page, PATH);
  if (start !== undefined) transcoder.page(page, start, own)?.invoices[0]?.lines.giveBack();
  const { user, system } = process.cpuUsage(before);
  vi.restoreAllMocks();
  return { time: (user + system) / 1_000, memory };
}

afterEach(() => vi.restoreAllMocks());

describe('a hostile page costs time and memory that grow with its bytes:', () => {
  it.each(Object.entries(SHAPES))('%s', (name, shape) => {
    const [small, large, usual] = [shape(SMALL), shape(LARGE), ordinary(LARGE)].map((page) =>
      Buffer.from(page),
    );
    if (small === undefined || large === undefined || usual === undefined)
      throw new Error('a page is missing');
    expect(large.length).toBeGreaterThan(LARGE / 2);
    let found: string[] = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [first, second, other] = [cost(small), cost(large), cost(usual)];
      expect(first.memory).toBeLessThan(MOST_MEMORY * small.length + MEBIBYTE);
      expect(second.memory).toBeLessThan(MOST_MEMORY * large.length + MEBIBYTE);
      const growth = second.time / Math.max(first.time, 0.1);
      const ratio = second.time / other.time;
      if (process.env['HOSTILE_SHAPES_VERBOSE'] === 'true') {
        const memory = [first.memory / small.length, second.memory / large.length].map((times) =>
          times.toFixed(1),
        );
        process.stdout.write(
          `${name}: ${first.time} ${second.time} ${other.time} ms, memory ${memory.join(' ')}\n`,
        );
      }
      found = [];
      if (second.time > SHORT && growth > MOST_GROWTH)
        found.push(`${growth.toFixed(1)} times the time for 8 times the bytes`);
      if (second.time > SHORT && ratio > MOST)
        found.push(`${ratio.toFixed(1)} times the time of an ordinary page`);
      if (found.length === 0) return;
    }
    expect(found).toEqual([]);
  });
});
