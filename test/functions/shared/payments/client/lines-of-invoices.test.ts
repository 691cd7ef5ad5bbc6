import { describe, expect, it } from 'vitest';
import { TranscodedInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import type { PulledInvoice } from '#domain/transcoding/transcoded-invoice.ts';
import { readDayInvoices } from '#payments/invoices/day-invoices.ts';
import { PARSED_INVOICES } from '#payments/invoices/invoice-reading.ts';
import { linesOfInvoices } from '#payments/invoices/lines-of-invoices.ts';
import { defined } from '#support/assertions/defined.ts';
import { DAY, INVOICE_TYPES, failureOf, startService } from '#support/payments/running-service.ts';
import type { RunningService, ServiceOptions } from '#support/payments/running-service.ts';

const CODE = '700001';

/** Reads the day, and calls `take` with the rows of each page. */
async function read(
  { client }: RunningService,
  redact: readonly string[],
  take: (rows: readonly PulledInvoice[]) => void,
) {
  const source = { client, day: DAY, reading: linesOfInvoices(CODE, DAY, redact) };
  return readDayInvoices(source, INVOICE_TYPES, take);
}

/** How many of the day's invoices were written as lines, and how many were parsed. */
async function ways(service: RunningService, redact: readonly string[] = []) {
  const found = { lines: 0, parsed: 0 };
  await read(service, redact, (rows) => {
    for (const row of rows) found[row instanceof TranscodedInvoice ? 'lines' : 'parsed'] += 1;
  });
  return found;
}

/** A service whose answers about invoices are changed on their way. */
async function serviceWith(body: (text: string) => string, options: ServiceOptions = {}) {
  const service = await startService(options);
  const action = { kind: 'replace', body } as const;
  service.sandbox.behaviour.faults.add({ operation: 'invoices', times: Infinity, action });
  return service;
}

describe('invoices become lines without being parsed', () => {
  it.each(['plain', 'encrypted'] as const)('if the answers are %s', async (invoiceAnswers) => {
    const service = await startService({ behaviour: { invoiceAnswers } });
    expect(await ways(service)).toEqual({ lines: 40, parsed: 0 });
  });

  it('if columns are left out, but not if they are objects or unknown', async () => {
    const service = await startService();
    expect(await ways(service, ['customer_name', 'TOKEN'])).toEqual({ lines: 40, parsed: 0 });
    expect(await ways(service, ['customer'])).toEqual({ lines: 0, parsed: 40 });
    expect(await ways(service, ['products_name'])).toEqual({ lines: 0, parsed: 40 });
  });

  it('if texts have escapes, but not if there are blanks', async () => {
    const escaped = await serviceWith((text) => text.replaceAll('/', String.raw`\/`));
    expect(await ways(escaped)).toEqual({ lines: 40, parsed: 0 });
    const spaced = await serviceWith((text) => JSON.stringify(JSON.parse(text), null, 1));
    expect(await ways(spaced)).toEqual({ lines: 0, parsed: 40 });
  });

  it('page by page: a record that must be parsed leaves other pages alone', async () => {
    const service = await startService();
    const [id] = service.sandbox.data.truth(CODE, DAY).invoices.ids;
    service.sandbox.data.updateInvoice(CODE, defined(id), { further: 'member' });
    const { lines, parsed } = await ways(service);
    expect(parsed).toBeGreaterThan(0);
    expect(parsed).toBeLessThanOrEqual(5);
    expect(lines + parsed).toBe(40);
  });
});

describe('an answer that must be parsed', () => {
  it('has its repeated names reported', async () => {
    const service = await serviceWith((text) => text.replace('"amount":', '"amount":"9.000","amount":'));
    const { repeatedFields } = await read(service, [], () => undefined);
    expect(Object.keys(repeatedFields.counts())).toEqual(['amount']);
  });

  it.each([
    ['a name twice around the records', '"response":', '"response":{},"response":'],
    ['another list first', '"invoices":{', '"invoices":{"data":[],'],
    ['a record of another form', '"amount":"', '"amount":"x'],
    ['a record of another merchant', '"merchant_id":"', '"merchant_id":"9'],
    ['an end that is missing', '"pagination":', '"pagination"'],
  ])('gives the same error: %s', async (_what, before, after) => {
    const change = (text: string) => text.replace(before, after);
    const service = await serviceWith(change);
    const source = { client: service.client, day: DAY, reading: PARSED_INVOICES };
    const parsed = await failureOf(readDayInvoices(source, INVOICE_TYPES, () => undefined));
    const other = await serviceWith(change);
    const error = await failureOf(read(other, [], () => undefined));
    expect([error.name, error.message]).toEqual([parsed.name, parsed.message]);
  });
});

describe('the lines of a page', () => {
  it('cannot be read after the page was taken, because the next page has their memory', async () => {
    const kept: TranscodedInvoice[] = [];
    await read(await startService(), [], (rows) => {
      for (const row of rows) {
        if (!(row instanceof TranscodedInvoice)) continue;
        const { bytes } = row.lines.of('json');
        const line = bytes.toString('utf8', row.json.start, row.json.end);
        expect(line).toContain(`"_day":"${DAY}"`);
        expect(line).toContain(`"id":${row.id},`);
        kept.push(row);
      }
    });
    expect(kept).toHaveLength(40);
    for (const { lines } of kept) expect(() => lines.of('json')).toThrow('given back');
  });
});
