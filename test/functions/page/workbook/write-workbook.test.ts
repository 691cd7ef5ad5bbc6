import { writeWorkbook } from '#page/workbook/write-workbook.ts';
import { TableRows, type TableSheet, type Workbook } from '#page/rendering/attachments/workbook-sheets.ts';
import { ColumnTotal, workbookCell, type CellContent } from '#page/rendering/attachments/workbook-cell.ts';
import { textsIn } from '#mail/texts/texts.ts';
import { formatAmount } from '#records/money/money.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { python } from '#support/readers/python.ts';
import { readWorkbook } from '#support/readers/read-workbook.ts';
import { defined, fc, forAll, forAllAsync, ANY_CHARACTER } from '#support/assertions/index.ts';

const ZONE = 'Asia/Kuwait';
const COLUMNS: TableSheet['columns'] = [
  { head: 'Invoice id', holds: 'integer', width: 14 },
  { head: 'Amount', holds: 'amount', width: 12 },
  { head: 'Customer', holds: 'text', width: 26 },
];

function sheetOf(rows: readonly (readonly string[])[], changes: Partial<TableSheet> = {}): TableSheet {
  const columns = changes.columns ?? COLUMNS;
  const table = new TableRows(
    columns.map((column) => ({ ...column, summed: column.holds === 'amount' })),
    ZONE,
  );
  for (const row of rows) table.add(row);
  return { ...table.sheet({ name: '2026-11-20', table: 'Invoices' }, textsIn('en')), ...changes };
}

const write = (rows: readonly (readonly string[])[], changes: Partial<Workbook> = {}) =>
  writeWorkbook({ sheets: [sheetOf(rows)], rightToLeft: false, ...changes });

/** The sheet as it was read, and its rows without the total row. */
async function read(rows: readonly (readonly string[])[], changes: Partial<TableSheet> = {}) {
  const { sheets, parts } = readWorkbook(await write([], { sheets: [sheetOf(rows, changes)] }));
  const sheet = defined(sheets[0]);
  return { ...sheet, parts, rows: rows.length === 0 ? sheet.rows : sheet.rows.slice(0, -1) };
}

/** The characters of a text that XML can hold. A spreadsheet shows these. */
const FORBIDDEN = /[\0-\x08\x0B\f\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFD]|\p{Noncharacter_Code_Point}/gu;
const shown = (text: string) => text.toWellFormed().replace(FORBIDDEN, '').replace(/\r\n?/g, '\n');

const PROTOTYPE = Object.getOwnPropertyNames(Object.prototype);
const TEXTS = [
  ...HOSTILE_NAMES,
  ...PROTOTYPE,
  '=1+1',
  '+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1',
  '=cmd|"/c calc"!A1',
  '_x000D_',
  '_x0041__x0042_',
  '_x005F_x0041_',
  ' spaces on both sides ',
  'two\r\nlines',
  '\u{10FFFE} kept',
  ']]><f>1+1</f>',
  '</t></si><si><t>',
  '\u0001constructor',
];

describe('a workbook', () => {
  it('has bold column heads, cells of the type of their column, and one typeface in all', async () => {
    const { cells, rows, parts } = await read([['501', '1234.500', 'نورة']]);
    const fonts = parts.get('xl/styles.xml')?.match(/<font>.*?<\/font>/gs) ?? [];
    expect(fonts.length).toBeGreaterThan(1);
    for (const font of fonts) expect(font).toContain('<name val="Calibri"/><sz val="11"/>');
    expect(rows).toEqual([
      ['Invoice id', 'Amount', 'Customer'],
      ['501', '1234.5', 'نورة'],
    ]);
    for (const head of ['A1', 'B1', 'C1']) expect(cells.get(head)).toMatchObject({ type: 's', bold: true });
    expect(cells.get('A2')).toEqual({ type: 'n', value: '501', format: '0', bold: false });
    expect(cells.get('B2')).toEqual({ type: 'n', value: '1234.5', format: '#,##0.000', bold: false });
    expect(cells.get('C2')).toEqual({ type: 's', value: 'نورة', format: '@', bold: false });
  });

  it('keeps the heads in sight, has widths, and reads from right to left where that is asked', async () => {
    const written = async (rightToLeft: boolean) =>
      defined(readWorkbook(await write([], { rightToLeft })).sheets[0]).xml;
    const sheet = await written(false);
    expect(sheet).toMatch(/<pane [^>]*ySplit="1"[^>]*topLeftCell="A2"[^>]*state="frozen"/);
    expect(sheet).toContain('<col min="3" max="3" width="26" customWidth="1"/>');
    expect(sheet).not.toContain('rightToLeft');
    expect(await written(true)).toMatch(/<sheetView [^>]*rightToLeft="1"/);
  });

  it('has its sheets in their order, each with its own table or none, and prints tables across its pages', async () => {
    const page = { kind: 'page', name: 'Summary', widths: [30], rows: [] } as const;
    const [one, other] = ["A & B's <day>", 'Refunds'].map((name) => sheetOf([['1', '2.000', 'a']], { name }));
    const sheetsOf = [page, defined(one), sheetOf([]), { ...defined(other), table: 'Refunds' }];
    const { sheets, parts } = readWorkbook(await write([], { sheets: sheetsOf }));
    expect(sheets.map(({ name, table }) => [name, table?.name])).toEqual([
      ['Summary', undefined],
      ["A & B's <day>", 'Invoices'],
      ['2026-11-20', undefined],
      ['Refunds', 'Refunds'],
    ]);
    const types = defined(parts.get('[Content_Types].xml'));
    for (const id of [2, 4]) expect(types).toContain(`PartName="/xl/tables/table${id}.xml"`);
    expect([...parts.keys()].filter((name) => name.startsWith('xl/tables/'))).toHaveLength(2);
    const setUp = '<pageSetup fitToWidth="1" fitToHeight="0" paperSize="9" orientation="landscape"/>';
    expect(sheets.map(({ xml }) => /<pageSetup [^>]*>/.exec(xml)?.[0])).toEqual([
      undefined,
      ...[setUp, setUp, setUp],
    ]);
    const fits = /<worksheet [^>]*><sheetPr><pageSetUpPr fitToPage="1"\/><\/sheetPr><(?:sheetViews|cols)/;
    for (const { xml } of sheets) expect(xml).toMatch(fits);
    expect(parts.get('xl/workbook.xml')).toContain(
      `<definedNames><definedName name="_xlnm.Print_Titles" localSheetId="1">'A &amp; B''s &lt;day&gt;'!$1:$1</definedName>`,
    );
  });

  it('is well-formed XML for Python, which reads the same cells', async () => {
    const program = `
import io, json, sys, zipfile
import xml.etree.ElementTree as tree
space = {'m': 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'}
book = zipfile.ZipFile(io.BytesIO(sys.stdin.buffer.read()))
part = lambda name: tree.fromstring(book.read(name))
texts = [''.join(t.text or '' for t in s.iter('{%s}t' % space['m'])) for s in part('xl/sharedStrings.xml').findall('m:si', space)]
cells = [[c.get('t'), c.find('m:v', space).text] for c in part('xl/worksheets/sheet1.xml').iter('{%s}c' % space['m'])]
print(json.dumps({'bad': book.testzip(), 'dates': sorted({i.date_time[0] for i in book.infolist()}),
  'values': [texts[int(v)] if t == 's' else float(v) for t, v in cells]}))`;
    const rows = TEXTS.map((text, index) => [String(index), '-0.125', text] as const);
    const total = -0.125 * TEXTS.length;
    // Python gives an escape of the format as it stands.
    const texts = TEXTS.map((text) => shown(text).replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_'));
    expect(await python(program, await write(rows))).toEqual({
      bad: null,
      dates: [1980],
      values: [
        ...['Invoice id', 'Amount', 'Customer'],
        ...texts.flatMap((text, index) => [index, -0.125, text]),
        ...['Total', total],
      ],
    });
  });
});

describe('a table', () => {
  it('has filters over its rows, and a total row below them', async () => {
    const { table, cells } = await read(['1.125', '2.000'].map((amount) => ['501', amount, 'x']));
    expect(table).toEqual({
      name: 'Invoices',
      ref: 'A1:C4',
      filter: 'A1:C3',
      columns: [
        { name: 'Invoice id', label: 'Total' },
        { name: 'Amount', function: 'sum' },
        { name: 'Customer' },
      ],
    });
    expect(cells.get('A4')).toEqual({ type: 's', value: 'Total', format: '@', bold: true });
    const formula = 'SUBTOTAL(109,Invoices[Amount])';
    const total = { type: 'n', value: '3.125', format: '#,##0.000', bold: true, formula };
    expect(cells.get('B4')).toEqual(total);
    expect(cells.get('C4')).toBeUndefined();
  });

  it('has the label in the first column without a sum', async () => {
    const { table } = await read([['1.000', 'x']], { columns: COLUMNS.slice(1) });
    expect(table?.columns).toEqual([
      { name: 'Amount', function: 'sum' },
      { name: 'Customer', label: 'Total' },
    ]);
  });

  it.each([
    ['as a text for an amount of sixteen digits', ['9999999999999.999', '1.000'], '10000000000000.999'],
    ['as a text for more than doubles can add up', ['999999999999.999', '0.001'], '1000000000000.000'],
    ['not, where a value is not an amount', ['1.000', 'about 2'], undefined],
  ])('has the exact total %s', async (_what, amounts, total) => {
    const { cells, table } = await read(amounts.map((amount) => ['1', amount, 'x']));
    const cell = total && { type: 's', value: total, format: '@', bold: true };
    expect(cells.get('B4')).toEqual(cell);
    expect(table?.columns[1]).toEqual({ name: 'Amount', ...(total && { label: total }) });
  });

  it('has a total that doubles add up to the thousandth, or its text', () =>
    forAll(
      [fc.array(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), { minLength: 1 })],
      (given) => {
        for (const amounts of [given, given.map((amount) => amount / 10n ** 6n)]) {
          const total = new ColumnTotal();
          for (const amount of amounts) total.add(formatAmount(amount));
          const sum = defined(total.sum() ?? undefined);
          expect(sum.amount).toBe(formatAmount(amounts.reduce((all, amount) => all + amount, 0n)));
          if (!sum.computable) continue;
          const computed = amounts.reduce((all, amount) => all + Number(formatAmount(amount)), 0);
          expect(computed.toFixed(3).replace(/^-(?=0\.000$)/, '')).toBe(sum.amount);
        }
      },
    ));

  it('writes characters of a head that formulas use with an apostrophe', async () => {
    const columns = [{ head: "A [b] #1's", holds: 'amount', width: 10 }] as const;
    const { cells } = await read([['1.000']], { columns });
    expect(cells.get('A3')?.formula).toBe("SUBTOTAL(109,Invoices[A '[b'] '#1''s])");
  });
});

it('the same workbook has the same bytes a year later', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
  onTestFinished(() => void vi.useRealTimers());
  const first = await write([['501', '1.000', 'x']]);
  vi.setSystemTime(Date.UTC(2027, 11, 21, 13, 14, 15));
  expect(await write([['501', '1.000', 'x']])).toEqual(first);
  expect(await write([['502', '1.000', 'x']])).not.toEqual(first);
});

describe('a value', () => {
  /** The cells of one row. */
  async function cellsOf(values: readonly (readonly [CellContent, string])[]) {
    const columns = values.map(([holds], index) => ({ head: `x${index}`, holds, width: 10 }));
    const row = values.map(([, text]) => text);
    const { cells } = await read([row], { columns, sums: columns.map(() => null) });
    return [...cells].flatMap(([address, cell]) => (/^[A-Z]+2$/.test(address) ? [cell] : []));
  }

  it('that spreadsheets keep is a number', async () => {
    const numbers = [
      ['day', '2026-11-20', 46_346, 'yyyy-mm-dd'],
      ['day', '1900-03-01', 61, 'yyyy-mm-dd'],
      ['day', '9999-12-31', 2_958_465, 'yyyy-mm-dd'],
      ['time', '2026-11-20 00:00:00', 46_346, 'yyyy-mm-dd hh:mm:ss'],
      ['time', '2026-11-20 18:00:00', 46_346.75, 'yyyy-mm-dd hh:mm:ss'],
      ['time', '2026-11-20T15:00:00Z', 46_346.75, 'yyyy-mm-dd hh:mm:ss'],
      ['time', '2026-11-20T20:30:00.480+05:30', 46_346.75, 'yyyy-mm-dd hh:mm:ss'],
      ['amount', '0.000', 0, '#,##0.000'],
      ['amount', '-1.500', -1.5, '#,##0.000'],
      ['amount', '999999999999.999', 999_999_999_999.999, '#,##0.000'],
      ['amount', `${'0'.repeat(20)}1.000`, 1, '#,##0.000'],
      ['integer', '0', 0, '0'],
      ['integer', '-3', -3, '0'],
      ['integer', '999999999999999', 999_999_999_999_999, '0'],
    ] as const;
    expect(await cellsOf(numbers.map(([holds, text]) => [holds, text]))).toEqual(
      numbers.map(([, , value, format]) => ({ type: 'n', value: String(value), format, bold: false })),
    );
  });

  it('that they would change or refuse is a text', async () => {
    const all = (holds: CellContent, ...texts: string[]) => texts.map((text) => [holds, text] as const);
    const texts = [
      ...all('amount', '9999999999999.999', '1.5', '1,5', '=1.000'),
      ...all('integer', '1000000000000000', '9007199254740993', '007', '-0', '1e3'),
      ...all('day', '2026-02-30', '1900-02-28', '0000-00-00', '20 November'),
      ...all('time', '2026-11-20', '2026-11-20 24:00:00', '2026-11-20 10:60:00', '2026-02-30T10:00:00Z'),
      ...all('time', '2026-11-20T10:00:00+99:00', '=1+1'),
      ...all('text', '501', '2026-11-20'),
    ];
    expect(await cellsOf(texts)).toEqual(
      texts.map(([, value]) => ({ type: 's', value, format: '@', bold: false })),
    );
  });

  it('that is an amount of at most fifteen digits is exactly the number that was read', () =>
    forAll([fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n })], (amount) => {
      const digits = (amount < 0n ? -amount : amount).toString().padStart(4, '0');
      const text = `${amount < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
      const value = workbookCell(text, 'amount', ZONE);
      expect(typeof value === 'number' && value.toFixed(3).replace(/^-(?=0\.000$)/, '')).toBe(text);
    }));
});

describe('a text', () => {
  it('is what the customer wrote, and never a formula', async () => {
    const anything = fc.oneof(
      fc.constantFrom(...TEXTS),
      fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('=', '<', '&', '_', 'x', '0', 'D', ' ', '\r', '\n', ']', '\u0000') }),
    );
    await forAllAsync(
      [fc.array(anything, { maxLength: 8 })],
      { numRuns: 100, examples: [[TEXTS]] },
      async (texts) => {
        const { rows, cells, parts } = await read(texts.map((text) => [text, text, text] as const));
        expect(rows.slice(1).map(([, , text]) => text)).toEqual(texts.map(shown));
        for (const [address, { type }] of cells) if (/^C|^[A-Z]1$/.test(address)) expect(type).toBe('s');
        const formulas = [...cells.values()].flatMap(({ formula }) => formula ?? []);
        for (const formula of formulas) expect(formula).toBe('SUBTOTAL(109,Invoices[Amount])');
        expect(formulas.length).toBeLessThanOrEqual(1);
        const xml = [...parts.values()].join('');
        expect([...xml.matchAll(/<(?:\w+:)?(?:f|\w*Formula)[\s>/]/gi)]).toHaveLength(formulas.length);
      },
    );
  });

  it('that is too long for a cell ends in an ellipsis, and no character is cut in two', async () => {
    const { rows } = await read([
      ['1', '1.000', 'x'.repeat(32_767)],
      ['2', '1.000', 'x'.repeat(32_768)],
      ['3', '1.000', `x${'🍕'.repeat(20_000)}`],
    ]);
    const [full, cut, pizza] = rows.slice(1).map(([, , text]) => defined(text));
    expect(full).toBe('x'.repeat(32_767));
    expect(cut).toBe(`${'x'.repeat(32_766)}…`);
    expect(pizza).toBe(`x${'🍕'.repeat(16_382)}…`);
  });
});
