import { csvFormatRow } from 'd3-dsv';
import * as fc from 'fast-check';
import { csvColumns } from '#records/rows/contract-columns.ts';
import { python } from '#support/readers/python.ts';
import { invoiceRecord, refundRecord, csvCells, csvLine } from '#support/records/records.ts';

it.each(['invoices', 'refunds'] as const)(
  'the columns of %s are all different, also in lower case',
  (table) => {
    const columns = csvColumns(table).map((name) => name.toLowerCase());
    expect(new Set(columns).size).toBe(columns.length);
  },
);

it('cells have no query type for refunds', () => {
  const cells = csvCells('refunds', refundRecord());
  expect(cells[csvColumns('refunds').indexOf('_query_type')]).toBe('');
});

/** Rows of hostile texts as they are written as cells. They have no lone surrogates, because UTF-8 has none. */
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...['"', ',', '\n', '\r', '\\', "'", ';', '\t', ' ', '\uE000', '\0', 'é', '🧾', 'a', '='],
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

it('a file of cells is read the same by Python', async () => {
  const texts = fc.sample(hostileRows, 60).flat();
  const { cells, text } = fileOf(texts);
  expect(await python(PYTHON_READER, Buffer.from(text, 'utf8'))).toEqual([csvColumns('invoices'), ...cells]);
});
