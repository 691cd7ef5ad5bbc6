import { inflateRawSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';
import { defined, elementsOf } from '#support/assertions/index.ts';
import { isMembers } from '#records/json/exact-json.ts';

/** The files of a ZIP archive as texts, by their names. Reads the directory, as spreadsheets do. */
export function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const lengthAt = (place: number) => archive.readUInt16LE(at + place);
    const [nameLength, extraLength, commentLength] = [lengthAt(28), lengthAt(30), lengthAt(32)] as const;
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const local = archive.readUInt32LE(at + 42);
    const data = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(data, data + archive.readUInt32LE(at + 20));
    const content = archive.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed);
    files.set(name, content.toString('utf8'));
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

/** A cell of a file: its type (`s` is a text, `n` a number), its value, its number format, and its formula. */
export interface ReadCell {
  type: string;
  value: string;
  format: string;
  bold: boolean;
  formula?: string;
}

export interface ReadTable {
  name: string;
  /** The cells with heads and total row. */
  ref: string;
  /** The cells that are filtered. */
  filter: string;
  columns: { name: string; label?: string; function?: string }[];
}

export interface ReadSheet {
  name: string;
  cells: Map<string, ReadCell>;
  /** The values by row, with what is not there as `''`. */
  rows: string[][];
  xml: string;
  table?: ReadTable;
}

interface ReadWorkbook {
  sheets: ReadSheet[];
  /** The XML of every part, by its name. */
  parts: Map<string, string>;
}

const LISTS = ['row', 'c', 'si', 'xf', 'numFmt', 'font', 'sheet', 'tableColumn', 'Relationship'];
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  // Line breaks are written as numbers.
  htmlEntities: true,
  isArray: (name) => LISTS.includes(name),
});

const at = (node: unknown, ...path: string[]) =>
  path.reduce((value, name) => (isMembers(value) ? value[name] : undefined), node);
const list = (node: unknown, ...path: string[]) =>
  // An element without attributes and content is read as an empty text.
  elementsOf(at(node, ...path) ?? []).map((element) => (isMembers(element) ? element : {}));

const word = (value: unknown, otherwise = '') => (typeof value === 'string' ? value : otherwise);

/** The text of a `<t>`, with or without attributes, or of several parts, and the escapes of the format undone. */
function textOf(item: unknown): string {
  const parts = [at(item, 'r') ?? []].flat();
  if (parts.length > 0) return parts.map(textOf).join('');
  const text = at(item, 't');
  const raw = typeof text === 'string' ? text : word(at(text, '#text'));
  return raw.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** The place of a column, from zero, of an address such as `AB12`. */
function columnOf(address: string): number {
  const letters = Buffer.from(/^[A-Z]+/.exec(address)?.[0] ?? '');
  return letters.reduce((place, letter) => place * 26 + letter - 64, 0) - 1;
}

function readTable(table: unknown): ReadTable {
  return {
    name: word(at(table, 'table', 'displayName')),
    ref: word(at(table, 'table', 'ref')),
    filter: word(at(table, 'table', 'autoFilter', 'ref')),
    columns: list(table, 'table', 'tableColumns', 'tableColumn').map((column) => ({
      name: word(column['name']),
      ...('totalsRowLabel' in column && { label: word(column['totalsRowLabel']) }),
      ...('totalsRowFunction' in column && { function: word(column['totalsRowFunction']) }),
    })),
  };
}

/** The cells of a row in the columns with these heads. @param row its index, with the heads as the first; negative from the end */
export function cellsOf(sheet: ReadSheet | undefined, row: number, ...heads: string[]): unknown[] {
  const [names = []] = sheet?.rows ?? [];
  return heads.map((head) => sheet?.rows.at(row)?.[names.indexOf(head)]);
}

/** No table of a workbook, whose first sheet is a page, has two columns of one name. */
export function expectDifferentHeads(sheets: readonly ReadSheet[]): void {
  for (const { rows } of sheets.slice(1)) {
    const heads = (rows[0] ?? []).map((head) => head.toLowerCase());
    expect(new Set(heads).size).toBe(heads.length);
  }
}

export function readWorkbook(file: Buffer): ReadWorkbook {
  const parts = unzipped(file);
  const part = (name: string): unknown => parser.parse(parts.get(name) ?? '');
  const strings = list(part('xl/sharedStrings.xml'), 'sst', 'si').map(textOf);
  const styles = part('xl/styles.xml');
  const numberFormats = list(styles, 'styleSheet', 'numFmts', 'numFmt');
  const formats = new Map(numberFormats.map(({ numFmtId, formatCode }) => [numFmtId, formatCode]));
  const fonts = list(styles, 'styleSheet', 'fonts', 'font');
  const looks = list(styles, 'styleSheet', 'cellXfs', 'xf');

  function readCell(cell: Record<string, unknown>): ReadCell {
    const type = word(cell['t'], 'n');
    const look = looks[Number(cell['s'] ?? 0)];
    return {
      type,
      value: type === 's' ? defined(strings[Number(cell['v'])]) : word(cell['v']),
      format: word(formats.get(look?.['numFmtId']), 'General'),
      bold: 'b' in (fonts[Number(look?.['fontId'] ?? 0)] ?? {}),
      ...('f' in cell && { formula: word(at(cell['f'], '#text') ?? cell['f']) }),
    };
  }

  function readSheet(name: string, id: number): ReadSheet {
    const cells = new Map<string, ReadCell>();
    const rows: string[][] = [];
    const xml = parts.get(`xl/worksheets/sheet${id}.xml`) ?? '';
    for (const row of list(parser.parse(xml), 'worksheet', 'sheetData', 'row')) {
      const values: string[] = [];
      for (const each of list(row, 'c')) {
        const address = word(each['r']);
        const cell = readCell(each);
        cells.set(address, cell);
        values[columnOf(address)] = cell.value;
      }
      rows.push(Array.from(values, (value: string | undefined) => value ?? ''));
    }
    const width = Math.max(0, ...rows.map(({ length }) => length));
    const padded = rows.map((row) => [...row, ...Array.from({ length: width - row.length }, () => '')]);
    const links = list(part(`xl/worksheets/_rels/sheet${id}.xml.rels`), 'Relationships', 'Relationship');
    const target = links.map((link) => word(link['Target'])).find((path) => path.includes('/tables/'));
    const table = target === undefined ? undefined : part(target.replace('..', 'xl'));
    return { name, cells, rows: padded, xml, ...(table !== undefined && { table: readTable(table) }) };
  }

  const sheets = list(part('xl/workbook.xml'), 'workbook', 'sheets', 'sheet');
  return { sheets: sheets.map(({ name }, index) => readSheet(word(name), index + 1)), parts };
}
