import { describe, expect, it } from 'vitest';
import { countOf } from '#service/envelope/answer-schemas.ts';
import { invoiceListSchema as schema, readInvoiceList } from '#service/invoices/invoice-list.ts';
import { invoiceRecord } from '#support/domain/sample-records.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const STATS = { total_invoice_count: 1, invoice_paid: '0', invoice_not_paid: 1, invoice_cancelled: null };
const PAGINATION = {
  total: 1,
  count: 1,
  per_page: 15,
  current_page: 1,
  total_pages: 1,
  page_url: 'https://pay.example.com/?page=1',
  next_page_url: null,
  previous_page_url: null,
};

function answer(invoices: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    stats: STATS,
    order_stats: STATS,
    invoices: { data: [invoiceRecord()], pagination: PAGINATION, ...invoices },
  };
}

describe('an answer of the invoice list', () => {
  it('is read with its records as they were sent', () => {
    const sent = answer();
    const { misfits, invoices, ...stated } = readInvoiceList(schema.parse(sent));
    expect(stated).toEqual({
      total: 1,
      totalPages: 1,
      currentPage: 1,
      stats: { total: 1, paid: 0, notPaid: 1, cancelled: null },
    });
    expect(invoices).toEqual([invoiceRecord()]);
    expect(misfits.list()).toEqual([]);
  });

  it('names the first invoice that lacks what is needed, and its member', () => {
    const data = [invoiceRecord(), invoiceRecord({ amount: 1 })];
    expect(schema.safeParse(answer({ data })).error?.issues).toMatchObject([
      { path: ['invoices', 'data', 1, 'amount'], message: 'must be string' },
    ]);
  });

  it('needs a list, for which an empty object may stand', () => {
    expect(readInvoiceList(schema.parse(answer({ data: {} }))).invoices).toEqual([]);
    for (const data of [undefined, null, 1, 'x', { 0: invoiceRecord() }]) {
      const { error } = schema.safeParse(answer({ data }));
      expect(error?.issues).toMatchObject([{ path: ['invoices', 'data'], message: 'must be array' }]);
    }
  });
});

describe('a count', () => {
  const MOST = 1e12;

  it.each([0, 1, MOST, '0', '12', '007', '999999999999'])('is read: %j', (value) => {
    expect(countOf(value)).toBe(Number(value));
  });

  it('is unknown for everything else', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.integer({ min: -3, max: 3 }).map((near) => MOST + near),
      fc.stringMatching(/^[-+ ]?\d{0,14}[. ]?$/),
      fc.constantFrom<unknown>(undefined, Number.NaN, Infinity, JSON.rawJSON('9007199254740993'), '١', '0x1'),
    );
    forAll([value], { numRuns: 2_000 }, (any) => {
      const isNumber = typeof any === 'number' && Number.isInteger(any) && any >= 0 && any <= MOST;
      const isCount = isNumber || (typeof any === 'string' && /^\d{1,12}$/.test(any));
      expect(countOf(any)).toBe(isCount ? Number(any) : null);
    });
  });
});
