import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeWorkbook } from '#functions/daily-report/mail/workbook.ts';
import type { Workbook } from '#functions/daily-report/mail/workbook.ts';
import { workbookCell } from '#rendering/attachments/workbook-cell.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { python } from '#support/readers/python.ts';
import { readWorkbook } from '#support/readers/read-workbook.ts';
import { defined } from '#support/assertions/defined.ts';

const COLUMNS: Workbook['columns'] = [
  { head: 'Invoice id', holds: 'integer', width: 14 },
  { head: 'Amount', holds: 'amount', width: 12 },
  { head: 'Customer', holds: 'text', width: 26 },
];

function write(rows: readonly (readonly [string, string, string])[], changes: Partial<Workbook> = {}) {
  return writeWorkbook({
    sheet: '2026-11-20',
    columns: COLUMNS,
    rows: rows.map((row) => row.map((text, index) => workbookCell(text, defined(COLUMNS[index]).holds))),
    rightToLeft: false,
    ...changes,
  });
}

const read = async (rows: readonly (readonly [string, string, string])[]) =>
  readWorkbook(await write(rows), COLUMNS.length);

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
  it('has bold column heads, and cells of the type of their column', async () => {
    const { cells, rows } = await read([['501', '1234.500', 'نورة']]);
    expect(rows).toEqual([
      ['Invoice id', 'Amount', 'Customer'],
      ['501', '1234.5', 'نورة'],
    ]);
    for (const head of ['A1', 'B1', 'C1']) expect(cells.get(head)).toMatchObject({ type: 's', bold: true });
    expect(cells.get('A2')).toEqual({ type: 'n', value: '501', format: '0', bold: false });
    expect(cells.get('B2')).toEqual({ type: 'n', value: '1234.5', format: '#,##0.000', bold: false });
    expect(cells.get('C2')).toEqual({ type: 's', value: 'نورة', format: '@', bold: false });
  });

  it('keeps the heads in view, has column widths, and reads from right to left if that is asked for', async () => {
    const sheetOf = async (rightToLeft: boolean) =>
      defined(readWorkbook(await write([], { rightToLeft }), 3).parts.get('xl/worksheets/sheet1.xml'));
    const sheet = await sheetOf(false);
    expect(sheet).toMatch(/<pane [^>]*ySplit="1"[^>]*topLeftCell="A2"[^>]*state="frozen"/);
    expect(sheet).toContain('<col min="3" max="3" width="26" customWidth="1"/>');
    expect(sheet).not.toContain('rightToLeft');
    expect(await sheetOf(true)).toMatch(/<sheetView [^>]*rightToLeft="1"/);
  });

  it('has the day as the name of its sheet', async () => {
    expect((await read([])).parts.get('xl/workbook.xml')).toContain('name="2026-11-20"');
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
    // Python returns an escape of the format unchanged.
    const texts = TEXTS.map((text) => shown(text).replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_'));
    expect(await python(program, await write(rows))).toEqual({
      bad: null,
      dates: [1980],
      values: ['Invoice id', 'Amount', 'Customer', ...texts.flatMap((text, index) => [index, -0.125, text])],
    });
  });
});

describe('the same workbook', () => {
  afterEach(() => vi.useRealTimers());

  it('has the same bytes a year later', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 21) });
    const first = await write([['501', '1.000', 'x']]);
    vi.setSystemTime(Date.UTC(2027, 11, 21, 13, 14, 15));
    expect(await write([['501', '1.000', 'x']])).toEqual(first);
    expect(await write([['502', '1.000', 'x']])).not.toEqual(first);
  });
});

describe('a number', () => {
  it.each([
    ['amount', '0.000', 'n'],
    ['amount', '-1.500', 'n'],
    ['amount', '999999999999.999', 'n'],
    ['amount', '9999999999999.999', 's'],
    ['amount', `${'0'.repeat(20)}1.000`, 'n'],
    ['amount', '1.5', 's'],
    ['amount', '1,5', 's'],
    ['amount', '=1.000', 's'],
    ['integer', '0', 'n'],
    ['integer', '-3', 'n'],
    ['integer', '999999999999999', 'n'],
    ['integer', '1000000000000000', 's'],
    ['integer', '9007199254740993', 's'],
    ['integer', '007', 's'],
    ['integer', '-0', 's'],
    ['integer', '1e3', 's'],
    ['text', '501', 's'],
    ['text', '2026-11-20', 's'],
  ] as const)('as %s, %s is written as %s', async (holds, text, type) => {
    const columns = [{ head: 'x', holds, width: 10 }];
    const file = await writeWorkbook({
      sheet: 's',
      columns,
      rows: [[workbookCell(text, holds)]],
      rightToLeft: false,
    });
    const cell = defined(readWorkbook(file, 1).cells.get('A2'));
    expect(cell.type).toBe(type);
    if (type === 's') expect(cell.value).toBe(text);
    else expect(Number(cell.value)).toBe(Number(text));
  });

  it('of at most fifteen digits is exactly the number that was read', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), (amount) => {
        const digits = (amount < 0n ? -amount : amount).toString().padStart(4, '0');
        const text = `${amount < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
        const value = workbookCell(text, 'amount');
        expect(typeof value === 'number' && value.toFixed(3).replace(/^-(?=0\.000$)/, '')).toBe(text);
      }),
    );
  });
});

describe('a text', () => {
  it('is what the customer wrote and never a formula', async () => {
    const { rows, cells, parts } = await read(TEXTS.map((text) => ['1', '1.000', text] as const));
    const texts = rows.slice(1).map(([, , text]) => text);
    expect(texts).toEqual(TEXTS.map(shown));
    for (const [address, { type }] of cells) {
      const isText = address.startsWith('C') || /^[A-Z]1$/.test(address);
      expect([address, type]).toEqual([address, isText ? 's' : 'n']);
    }
    for (const xml of parts.values()) expect(xml).not.toMatch(/<(\w+:)?f[\s>/]/);
  });

  it('reads back unchanged, whatever customers write', async () => {
    const anything = fc.oneof(
      fc.constantFrom(...TEXTS),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: fc.constantFrom('=', '<', '&', '_', 'x', '0', 'D', ' ', '\r', '\n', ']', '\u0000') }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anything, { maxLength: 8 }), async (texts) => {
        const { rows, parts } = await read(texts.map((text) => [text, text, text] as const));
        expect(rows.slice(1).map(([, , text]) => text)).toEqual(texts.map(shown));
        expect(parts.get('xl/worksheets/sheet1.xml')).not.toContain('<f');
      }),
      { numRuns: 100 },
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
