import { XMLParser } from 'fast-xml-parser';
import { defined } from '#support/assertions/defined.ts';
import { isMembers } from '#domain/json/exact-json.ts';
import { elementsOf } from '#support/assertions/elements.ts';
import { unzipped } from './unzipped.ts';

/** A cell as it stands in the file: its type (`s` is a text, `n` a number), its value and its number format. */
export interface ReadCell {
  type: string;
  value: string;
  format: string;
  bold: boolean;
}

interface Sheet {
  cells: Map<string, ReadCell>;
  /** The values by row, with what is not there as `''`. */
  rows: string[][];
  /** The XML of every part, by its name. */
  parts: Map<string, string>;
}

const LISTS = ['row', 'c', 'si', 'xf', 'numFmt', 'font'];
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => LISTS.includes(name),
});

const at = (node: unknown, ...path: string[]) =>
  path.reduce((value, name) => (isMembers(value) ? value[name] : undefined), node);
const list = (node: unknown, ...path: string[]) =>
  // An element without attributes and content is read as an empty text.
  elementsOf(at(node, ...path) ?? []).map((element) => (isMembers(element) ? element : {}));

const word = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);

/** The text of a `<t>`, with or without attributes, and the escapes of the format undone. */
function textOf(item: unknown): string {
  const text = at(item, 't');
  const raw = typeof text === 'string' ? text : word(at(text, '#text'), '');
  return raw.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** What another program reads in a workbook of one sheet. */
export function readWorkbook(file: Buffer, columns: number): Sheet {
  const parts = unzipped(file);
  const part = (name: string): unknown => parser.parse(parts.get(name) ?? '');
  const strings = list(part('xl/sharedStrings.xml'), 'sst', 'si').map(textOf);
  const styles = part('xl/styles.xml');
  const formats = new Map(
    list(styles, 'styleSheet', 'numFmts', 'numFmt').map((format) => [
      format['numFmtId'],
      format['formatCode'],
    ]),
  );
  const fonts = list(styles, 'styleSheet', 'fonts', 'font');
  const looks = list(styles, 'styleSheet', 'cellXfs', 'xf');
  const cells = new Map<string, ReadCell>();
  const rows: string[][] = [];
  for (const row of list(part('xl/worksheets/sheet1.xml'), 'worksheet', 'sheetData', 'row')) {
    const values = Array.from({ length: columns }, () => '');
    for (const cell of list(row, 'c')) {
      const address = word(cell['r'], '');
      const type = word(cell['t'], 'n');
      const value = type === 's' ? defined(strings[Number(cell['v'])]) : word(cell['v'], '');
      const look = looks[Number(cell['s'] ?? 0)];
      const format = word(formats.get(look?.['numFmtId']), 'General');
      cells.set(address, { type, value, format, bold: 'b' in (fonts[Number(look?.['fontId'] ?? 0)] ?? {}) });
      values[address.charCodeAt(0) - 65] = value;
    }
    rows.push(values);
  }
  return { cells, rows, parts };
}
