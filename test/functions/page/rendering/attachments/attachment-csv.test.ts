import { parse } from 'csv-parse/sync';
import { SealedLineError, takeSealedRow } from '#records/rows/read-sealed-row.ts';
import { csvCells, INVOICE_COLUMNS } from '#page/rendering/attachments/attachment-columns.ts';
import { AttachmentWords } from '#page/rendering/attachments/attachment-words.ts';
import {
  csvHeader,
  csvRow,
  withoutFormula,
  CollectedCsv,
} from '#page/rendering/attachments/collected-attachments.ts';
import { workbookCell } from '#page/rendering/attachments/workbook-cell.ts';
import type { InvoiceStatusNames } from '#records/figures/invoice-state-totals.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { invoiceRecord } from '#support/records/records.ts';
import { python } from '#support/readers/python.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { defined, fc, forAll, ANY_CHARACTER } from '#support/assertions/index.ts';

const PYTHON_READER = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8-sig')
print(json.dumps(list(csv.reader(io.StringIO(text, newline=''), strict=True))))
`;

const transaction = {
  payment_id: 77,
  transaction_id: 'T-1',
  paid_on: '2026-11-20 10:05:00',
  Auth: 's-auth',
  payment_type: 'KNET',
};
const customer = { name: 'نورة', email: 'n@example.com', phone_number: '50000000' };
const invoice = invoiceRecord({
  admin_charge: '0.250',
  discount: '-1.500',
  invoice_status: 1,
  payment_method: ['knet', 'card'],
  expires_at: '2026-11-21',
  updated_at: '2026-11-20 10:05:00',
  transaction,
  customer,
  a_field_added_later: 's-new',
});

const STATUSES = { '0': 'not_paid', '1': 'paid' } as const;

/** The CSV as a report makes it of sealed lines. @param some of the columns, by the last part of their heads */
function csvIn(
  language: 'en' | 'ar',
  statuses: InvoiceStatusNames | undefined,
  attachments: { paymentMethods?: Record<string, string>; idsAsText?: boolean } = {},
  some?: string[],
) {
  const columns = INVOICE_COLUMNS.filter(({ head }) => some?.includes(head.replace('columns.', '')) ?? true);
  const settings = { language, invoiceStatuses: statuses, refunds: { statuses: {} } };
  const words = new AttachmentWords(
    { ...settings, attachments: { paymentMethods: {}, ...attachments } },
    '2026-11-20',
  );
  return {
    header: csvHeader(columns, textsIn(language)),
    cells: (line: string): string[] => {
      const cells: string[] = [];
      takeSealedRow(line, new Set(), (row) => cells.push(...csvCells(row, columns, words)));
      return cells;
    },
    row(line: string): string {
      return csvRow(this.cells(line));
    },
  };
}

const csv = csvIn('en', STATUSES);

/** What is attached of these invoices. */
function collected(limit: number, ...rows: unknown[]): CollectedCsv {
  const attachment = new CollectedCsv(csv.header, { count: rows.length, columns: 21 }, limit);
  for (const row of rows) attachment.add(csv.cells(JSON.stringify(row)));
  return attachment;
}

function parsed(text: string): string[][] {
  return parse(text, { bom: true, record_delimiter: '\r\n' });
}

/** One invoice as columns by their heads. */
function columnsOf(line: string, format = csv): Record<string, string> {
  const [heads = [], cells = []] = parsed(format.header + format.row(line));
  expect(cells).toHaveLength(heads.length);
  return Object.fromEntries(heads.map((head, index) => [head, cells[index] ?? '']));
}

describe('a row', () => {
  it('has the columns of the allowed list in their order, those in words last', () => {
    const columns = {
      'Invoice id': '501',
      'Invoice type': '1',
      'Reference number': 'INV-501',
      'Invoice status': '1',
      State: 'paid',
      Amount: '12.500',
      'Admin charge': '0.250',
      'Service charge': '0.000',
      Discount: '-1.500',
      'Payment method': 'knet, card',
      'Customer name': 'نورة',
      'Customer email': 'n@example.com',
      'Customer phone': '50000000',
      Description: 'two coffees',
      'Created at': '2026-11-20 10:00:00',
      'Updated at': '2026-11-20 10:05:00',
      'Expires at': '2026-11-21',
      'Payment id': '77',
      'Transaction id': 'T-1',
      'Paid on': '2026-11-20 10:05:00',
      'Paid with': 'KNET',
      'Invoice type in words': 'Single',
      'State in words': 'Paid',
      'Payment method in words': 'KNET, Card',
      'Paid with in words': 'KNET',
    };
    expect(Object.entries(columnsOf(JSON.stringify(invoice)))).toEqual(Object.entries(columns));
  });

  it.each([
    ['en', 1, '1', 'Paid', 'Single'],
    ['en', 0, '6', 'Unpaid', 'Split'],
    ['en', 7, '12', 'Other', 'Type 12'],
    ['ar', 0, '7', 'غير مدفوعة', 'أقساط'],
  ] as const)('says in %s the status %j and the type %s in words', (language, ...given) => {
    const [invoice_status, invoice_type, state, typeName] = given;
    const format = csvIn(language, STATUSES, {}, ['type', 'state']);
    const line = JSON.stringify({ ...invoice, invoice_status, invoice_type });
    expect(parsed(format.row(line))[0]?.slice(2)).toEqual([typeName, state]);
  });

  it.each([
    [['1', '2'], 'كي نت, بطاقة ائتمان'],
    [['9'], 'Tamara'],
    [['Apple Pay', 'apple-pay'], 'أبل باي, أبل باي'],
    [['constructor', '__proto__'], 'constructor, __proto__'],
    [['x'.repeat(5_000)], 'x'.repeat(5_000)],
    [[], ''],
  ])('says the payment methods %j by the registry, in the language, or as they are', (methods, said) => {
    const names = { 1: 'KNET', 2: 'Credit Card', 9: 'Tamara' };
    const format = csvIn('ar', STATUSES, { paymentMethods: names }, ['paymentMethod']);
    const line = JSON.stringify({ ...invoice, payment_method: methods });
    expect(parsed(format.row(line))[0]?.[1]).toBe(said);
  });

  it('has empty cells for what is not there, and the digits of a large id', () => {
    const columns = columnsOf(
      '{"id":9007199254740993,"invoice_status":7,"transaction":{"payment_id":null},"customer":{}}',
    );
    const nothing = { State: '', 'Payment id': '', 'Customer name': '' };
    expect(columns).toMatchObject({ 'Invoice id': '9007199254740993', ...nothing });
    expect(columnsOf('{"invoice_status":1}', csvIn('en', undefined))).toMatchObject(nothing);
    expect(columnsOf('{"invoice_status":"constructor"}')).toMatchObject(nothing);
  });

  it('has Arabic heads in an Arabic mail, as many', () => {
    const arabic = csvIn('ar', STATUSES);
    expect(columnsOf(JSON.stringify(invoice), arabic)['اسم العميل']).toBe('نورة');
    expect(parsed(arabic.header)[0]).toHaveLength(25);
  });

  it.each(['{"id":1,"secret', '[]', '"x"', 'null', ''])(
    'cannot be made of %j, and the error does not quote it',
    (line) => {
      expect(() => csv.row(line)).toThrow(SealedLineError);
      expect(() => csv.row(line)).toThrow(/^a line of a sealed file is not a JSON object$/);
    },
  );
});

it.each([
  ['+96550000000', "'+96550000000"],
  ['--1', "'--1"],
  ['-1.500', '-1.500'],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\rx', "'\rx"],
  ["'=1", "''=1"],
  ['\u00a0\u200b=1', "'\u00a0\u200b=1"],
  ['＝1', "'＝1"],
  ['a;=1', "a;'=1"],
  ['a\t=1', "a\t'=1"],
  ['a\t "+1', 'a\t "\'+1'],
  ['a;\t-1;\t@x', "a;\t'-1;\t'@x"],
  ['a\n"=1', 'a\n"\'=1'],
  ['a-b=c@d', 'a-b=c@d'],
  ['', ''],
])('a cell %j is written %j', (cell, written) => {
  expect(withoutFormula(cell)).toBe(written);
});

it.each(['00123', '0096512345', '1E5', '1-2', '3/4', '123456789012345678', 'TRUE', '12:30'])(
  '%j, which spreadsheets change, is for programs as it is, and in the workbook a text',
  (value) => {
    expect(csvRow([value])).toBe(`"${value}"\r\n`);
    for (const holds of ['text', 'integer'] as const) {
      expect(workbookCell(value, holds, 'Asia/Kuwait')).toBe(value);
    }
  },
);

describe('a CSV for people', () => {
  const cellsOf = (row: object, idsAsText: boolean): string[] =>
    defined(parsed(csvIn('en', undefined, { idsAsText }).row(JSON.stringify(row)))[0]);
  const odd = {
    ...invoice,
    reference_number: '00123',
    customer: { ...customer, phone_number: '+96550000000', name: '00123' },
    transaction: { ...transaction, transaction_id: '1E5', payment_id: null },
  };

  it('keeps ids, references and phone numbers as texts, and nothing else', () => {
    const [people, programs] = [cellsOf(odd, true), cellsOf(odd, false)];
    const changed = people.flatMap((cell, index) => (cell === programs[index] ? [] : [cell]));
    expect(changed).toEqual(['="501"', '="00123"', '="+96550000000"', '="1E5"']);
  });

  it('never makes a formula of what a customer writes', () => {
    const hostile = ['=1+1', '"&1+1&"', '="x"&cmd', 'a"b', '@x', '="1"+1'];
    for (const reference_number of hostile) {
      const cell = cellsOf({ ...odd, reference_number }, true)[2];
      expect(cell).toBe(withoutFormula(reference_number));
      expect(cell).not.toMatch(/^=/);
    }
  });
});

it('a huge cell costs no more than its length', () => {
  const blanks = ' \t'.repeat(200_000);
  const { user: before } = process.threadCpuUsage();
  expect(withoutFormula(`x${blanks}y`)).toBe(`x${blanks}y`);
  expect(withoutFormula(`x;${blanks}=1`)).toBe(`x;${blanks}'=1`);
  expect(withoutFormula('\t;'.repeat(200_000))).toBe(`'${'\t;'.repeat(200_000)}`);
  expect(withoutFormula('x\t='.repeat(100_000))).toBe("x\t'=".repeat(100_000));
  expect(process.threadCpuUsage().user - before).toBeLessThan(10_000_000);
});

const anything = fc.oneof(
  fc.constantFrom(...HOSTILE_NAMES),
  fc.string({ unit: ANY_CHARACTER, maxLength: 80 }),
  fc.string({
    unit: fc.constantFrom('=', '-', '+', '@', '＝', ' ', '\t', '\r', '\n', '"', "'", ',', ';', '1', 'a'),
  }),
);

/** What of a text gets into a file of UTF-8 that every reader reads. */
const kept = (text: string) => text.toWellFormed().replaceAll('\u0000', '');

describe('whatever customers write', () => {
  const rows = fc.array(
    fc.record({
      id: anything,
      customer: fc.record({ name: anything, email: anything }),
      description: anything,
    }),
    { maxLength: 5 },
  );

  it('no cell starts a formula, and the row reads back', () =>
    forAll([rows], (records) => {
      const text = csv.header + records.map((record) => csv.row(JSON.stringify(record))).join('');
      const [, ...read] = parsed(text);
      expect(read).toHaveLength(records.length);
      for (const [index, cells] of read.entries()) {
        expect(cells).toHaveLength(25);
        const { id, customer, description } = defined(records[index]);
        expect(cells[0]).toBe(withoutFormula(kept(id)));
        expect(cells[10]).toBe(withoutFormula(kept(customer.name)));
        expect(cells[13]).toBe(withoutFormula(kept(description)));
        for (const cell of cells) {
          if (/^-\d+(\.\d+)?$/.test(cell)) continue;
          expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠\t\r]/);
        }
      }
    }));

  it.each([
    ['";"', /[;\r\n]/],
    ['a tab', /[\t\r\n]/],
    ['both', /[;\t\r\n]/],
  ])('no cell starts a formula where a spreadsheet takes %s for the separator either', (_what, separator) => {
    forAll([rows], { numRuns: 500 }, (records) => {
      const text = records.map((record) => csv.row(JSON.stringify(record))).join('');
      for (const cell of text.split(separator)) {
        // The first part of a line begins with our quote: a whole cell may be a negative number.
        if (/^"-\d+(\.\d+)?",/.test(cell)) continue;
        expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
      }
    });
  });

  it('Python reads the same cells', async () => {
    const records = HOSTILE_NAMES.map((name) => ({
      id: 1,
      customer: { name, email: name },
      description: `a "quoted", text\r\nof two lines; ${name}`,
    }));
    const content = defined(collected(1_000_000, ...records).content());
    expect(content.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(await python(PYTHON_READER, content)).toEqual(parsed(content.toString()));
  });
});

it('a collected CSV takes what fits the limit exactly, and is too big one byte further', () => {
  const invoices = [invoice, invoice, invoice];
  const bytes = Buffer.byteLength(csv.header) + 3 * Buffer.byteLength(csv.row(JSON.stringify(invoice)));
  expect(collected(bytes, ...invoices).content()?.length).toBe(bytes);
  const tooBig = collected(bytes - 1, ...invoices);
  expect(tooBig.isTooBig).toBe(true);
  tooBig.add([]);
  expect([tooBig.isTooBig, tooBig.content()]).toEqual([true, undefined]);
  expect(collected(10_000).content()).toEqual(Buffer.from(csv.header));
});
