import { csvFormatRow } from 'd3-dsv';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactJson } from '#records/json/exact-json.ts';
import { csvColumns } from '#records/rows/row-shape.ts';
import { python } from '#support/readers/python.ts';
import { invoiceRecord, refundRecord } from '#support/domain/sample-records.ts';
import { csvCells, csvLine } from '#support/domain/sample-rows.ts';
import { membersOf } from '#support/assertions/members.ts';
import { elementsOf } from '#support/assertions/elements.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';

function invoiceCells(change: Record<string, unknown> = {}): Record<string, string> {
  const cells = csvCells('invoices', invoiceRecord(change));
  return Object.fromEntries(csvColumns('invoices').map((column, index) => [column, cells[index] ?? 'none']));
}

describe('csvColumns', () => {
  it('begin with Daybook’s own and then have the contract’s, flattened, in its order', () => {
    const columns = csvColumns('invoices');
    expect(columns.slice(0, 5)).toEqual(['_merchant_code', '_day', '_query_type', 'id', 'invoice_type']);
    expect(columns.slice(-7)).toEqual([
      'transaction_admin_charge',
      'customer_name',
      'customer_email',
      'customer_phone_number',
      'created_by_merchant_id',
      'created_by_merchant_name',
      'products',
    ]);
    expect(csvColumns('refunds').slice(-13, -10)).toEqual([
      'transaction_id',
      'transaction_amount',
      'transaction_admin_charge',
    ]);
  });

  it.each(['invoices', 'refunds'] as const)('of %s are all different, also in lower case', (table) => {
    const columns = csvColumns(table).map((name) => name.toLowerCase());
    expect(new Set(columns).size).toBe(columns.length);
  });
});

describe('cells', () => {
  it('are as many as the columns', () => {
    const invoice = csvCells('invoices', invoiceRecord({ extra: 1 }));
    expect(invoice).toHaveLength(csvColumns('invoices').length);
    expect(csvCells('refunds', refundRecord({ extra: 1 }))).toHaveLength(csvColumns('refunds').length);
  });

  it('contain strings unchanged, numbers as digits, null as nothing, and objects and lists as JSON', () => {
    const transaction = {
      ...membersOf(invoiceRecord()['transaction']),
      Auth: 0,
      paid_on: { b: 1, a: [true] },
    };
    expect(invoiceCells({ transaction, products: [{ id: 1, name: 'ق' }] })).toMatchObject({
      _merchant_code: '700001',
      _day: '2026-11-20',
      _query_type: '1',
      id: '501',
      amount: '12.500',
      spliturl: '',
      payment_method: '["1","2"]',
      transaction_Auth: '0',
      transaction_paid_on: '{"a":[true],"b":1}',
      transaction_payment_id: '',
      customer_name: 'نورة',
      products: '[{"id":1,"name":"ق"}]',
    });
  });

  it('hold integers beyond 2^53 digit for digit', () => {
    const id = elementsOf(parseExactJson('[90071992547409931]'));
    expect(invoiceCells({ id: id[0], rentperiod: id })).toMatchObject({
      id: '90071992547409931',
      rentperiod: '[90071992547409931]',
    });
  });

  it('have no query type for refunds', () => {
    const cells = csvCells('refunds', refundRecord());
    expect(cells[csvColumns('refunds').indexOf('_query_type')]).toBe('');
  });

  it.each([
    ['a\nb', 'a\\nb'],
    ['a\rb', 'a\\nb'],
    ['a\r\nb', 'a\\nb'],
    ['a\n\r\n\rb', 'a\\n\\n\\nb'],
    ['\\n', '\\n'],
    ['a\uE000b\uE000', 'a\uFFFDb\uFFFD'],
    ['tab\tand \u2028 stay', 'tab\tand \u2028 stay'],
  ])('write %j as %j', (value, written) => {
    expect(invoiceCells({ description: value })['description']).toBe(written);
    expect(invoiceCells({ customer: { name: value, email: '', phone_number: '' } })['customer_name']).toBe(
      written,
    );
  });

  it('have the escape character replaced inside JSON text too', () => {
    expect(invoiceCells({ products: ['\uE000'] })['products']).toBe('["\uFFFD"]');
  });

  it('never contain a line break or the escape character', () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), fc.jsonValue(), (description, rentperiod) => {
        for (const cell of Object.values(invoiceCells({ description, rentperiod }))) {
          expect(cell).not.toMatch(/[\r\n\uE000]/);
        }
      }),
    );
  });
});

/** Rows of hostile texts as they are written as cells. They have no lone surrogates, because UTF-8 has none. */
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      '"',
      ',',
      '\n',
      '\r',
      '\\',
      "'",
      ';',
      '\t',
      ' ',
      '\uE000',
      '\0',
      'é',
      '🧾',
      'a',
      '=',
    ),
  }),
  fc.constantFrom('"', '""', '\\', '\\"', '","', 'NULL', '\uFEFF', '"\n"', 'شركة "الأفق"'),
  fc.string({ unit: 'grapheme' }),
);
const hostileRows = fc.array(fc.tuple(hostile, hostile), { minLength: 1, maxLength: 20 });

function fileOf(texts: readonly (readonly [string, string])[]): { cells: string[][]; text: string } {
  const records = texts.map(([description, name]) =>
    invoiceRecord({ description, customer: { name, email: 'e', phone_number: '1' } }),
  );
  return {
    cells: records.map((record) => csvCells('invoices', record)),
    text: [
      csvFormatRow(csvColumns('invoices')),
      ...records.map((record) => csvLine('invoices', record)),
      '',
    ].join('\n'),
  };
}

const PYTHON_READER = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8')
print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))
`;

describe('a file of cells', () => {
  it('has one line for each row, and csv-parse reads the same values back', () => {
    fc.assert(
      fc.property(hostileRows, (texts) => {
        const { cells, text } = fileOf(texts);
        expect(text.split('\n')).toHaveLength(cells.length + 2);
        expect(parse(text)).toEqual([csvColumns('invoices'), ...cells]);
      }),
      { numRuns: 50 },
    );
  });

  it('is read the same by Python', async () => {
    const texts = fc.sample(hostileRows, 60).flat();
    const { cells, text } = fileOf(texts);
    expect(await python(PYTHON_READER, Buffer.from(text, 'utf8'))).toEqual([
      csvColumns('invoices'),
      ...cells,
    ]);
  });
});
