import { csvFormatValue } from 'd3-dsv';
import type { Table } from '../revision/manifest.ts';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { OWN_COLUMNS, SHAPES } from './contract-columns.ts';
import type { ShapeMember } from './contract-columns.ts';
import { NamesOfRecord, isIndex, ordered, othersOf } from './written-names.ts';
import type { UnknownNames } from './written-names.ts';

/** The merchant, the day and the type of a row. `queryType` is `null` for refunds. */
export interface RowOrigin {
  merchantCode: string;
  day: string;
  queryType: string | null;
}

const LINE_BREAK = /\r\n|\r|\n/g;
const ESCAPE_CHARACTER = /\uE000/g;
const TO_REPLACE = /[\r\n\uE000]/;

/**
 * One value as a cell; `null` is an empty cell. A line break becomes the two characters `\n`, so that each
 * row is one line. U+E000 is the escape character of the lake's tables, so it is removed from values.
 */
function cell(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const oneLine = TO_REPLACE.test(text)
    ? text.replace(LINE_BREAK, '\\n').replace(ESCAPE_CHARACTER, '\uFFFD')
    : text;
  return csvFormatValue(oneLine);
}

const [QUOTE, COMMA, BACKSLASH, OPENING, CLOSING] = [0x22, 0x2c, 0x5c, 0x7b, 0x7d];
/** The first unit that is no control. The first ones that take two bytes of UTF-8, and three or more. */
const [BLANK, TWO_BYTES, THREE_BYTES] = [0x20, 0x80, 0x800];

/** By unit: 1 for those that stand in JSON and in CSV as they are, in one byte. */
const PLAIN = Uint8Array.from({ length: TWO_BYTES }, (_, unit) =>
  unit < BLANK || [QUOTE, COMMA, BACKSLASH].includes(unit) ? 0 : 1,
);

/** The bytes of a line, in memory that the next line uses again. */
class Line {
  bytes: Buffer = Buffer.allocUnsafeSlow(4096);
  used = 0;

  reserve(more: number): void {
    const least = this.used + more;
    if (least <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(least, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }

  put(byte: number, times = 1): void {
    this.reserve(times);
    for (let time = 0; time < times; time += 1) this.bytes[this.used + time] = byte;
    this.used += times;
  }

  add(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.used);
    this.used += bytes.length;
  }

  write(text: string): void {
    this.reserve(Buffer.byteLength(text));
    this.used += this.bytes.write(text, this.used);
  }

  /** Adds a text before what was added from `at` on. */
  insert(at: number, text: string): void {
    const after = Buffer.from(this.bytes.subarray(at, this.used));
    this.used = at;
    this.write(text);
    this.add(after);
  }
}

interface Column {
  name: string;
  /** What stands before its value: a comma, the name, and a colon. */
  before: Uint8Array;
  /** The same with the value null. */
  asNull: Uint8Array;
  inner: readonly Column[] | null;
  cells: number;
  isText: boolean;
  fits: (value: unknown) => boolean;
}

function columnsOf(shape: readonly ShapeMember[]): Column[] {
  return shape.map(({ name, members, isText, fits }) => ({
    name,
    before: Buffer.from(`,${JSON.stringify(name)}:`),
    asNull: Buffer.from(`,${JSON.stringify(name)}:null`),
    inner: members === null ? null : columnsOf(members),
    cells: members?.length ?? 1,
    isText,
    fits,
  }));
}

/** How many members it has. A list of their names for each object would be much garbage. */
function numberOf(members: Members): number {
  let count = 0;
  for (const _name in members) count += 1;
  return count;
}

/** What the lines of rows begin with: Daybook's own members, in UTF-8. */
export interface Beginnings {
  json: Uint8Array;
  csv: Uint8Array;
}

/** The lines of a record in UTF-8, without line ends. */
export interface Lines {
  json: Buffer;
  csv: Buffer;
  /** Whether all members of the contract are as it shows them. */
  isAsShown: boolean;
}

/** What all lines of these rows begin with. */
export function beginningsOf({ merchantCode, day, queryType }: RowOrigin): Beginnings {
  const own = { _merchant_code: merchantCode, _day: day, _query_type: queryType };
  return {
    json: Buffer.from(`,${JSON.stringify(own).slice(1, -1)}`),
    csv: Buffer.from([merchantCode, day, queryType ?? ''].map(cell).join(',')),
  };
}

/**
 * Writes the records of one table as lines of both formats; each record is visited once. A line of JSON has the contract's members in the
 * contract's order, then the others by name: equal records give equal lines, in whatever order their members were sent. A value that the
 * lake's column cannot take is written as `<name>__2`, and its member is null, because one value of another kind breaks every query over
 * its file (docs/data-dictionary.md). A line of CSV has the columns of `csvColumns`. All of them are texts, so that value stands in its own
 * column there; members that the contract does not have are in the JSON only.
 */
export class RowLines {
  readonly #columns: readonly Column[];
  readonly #unknown: UnknownNames;
  readonly #json = new Line();
  readonly #csv = new Line();
  #names: NamesOfRecord;
  #isAsShown = true;

  /** @param unknown collects the names that the contract does not have */
  constructor(table: Table, unknown: UnknownNames) {
    this.#columns = columnsOf(SHAPES[table]);
    this.#unknown = unknown;
    this.#names = new NamesOfRecord(unknown);
  }

  /**
   * The lines of a record. They are valid until the next record is written.
   * @param record has what its table needs
   * @throws {RenamedMembersError} when too many names differ by case only
   */
  of(record: Members, beginnings: Beginnings): Lines {
    const json = this.#json;
    const csv = this.#csv;
    json.used = 0;
    csv.used = 0;
    json.add(beginnings.json);
    csv.add(beginnings.csv);
    this.#names = new NamesOfRecord(this.#unknown);
    this.#isAsShown = true;
    this.#addMembers(record, this.#columns, 0, '', OWN_COLUMNS);
    return {
      json: json.bytes.subarray(0, json.used),
      csv: csv.bytes.subarray(0, csv.used),
      isAsShown: this.#isAsShown,
    };
  }

  /** Adds the members of an object, its closing brace, and its cells. Its opening brace stands at `start`, or will stand there. */
  #addMembers(
    source: Members,
    columns: readonly Column[],
    start: number,
    path: string,
    reserved: readonly string[],
  ): void {
    const json = this.#json;
    let found = 0;
    let misfits: string[] | undefined;
    for (const column of columns) {
      const value = source[column.name];
      if (value !== undefined) found += 1;
      if (!this.#addMember(value, column, path)) (misfits ??= []).push(column.name);
    }
    if (misfits !== undefined || numberOf(source) > found) {
      const known = columns.map(({ name }) => name);
      this.#addOthers(othersOf(source, known, misfits ?? [], path, reserved, this.#names), start);
    }
    // In place of the comma before its first member.
    if (json.used === start) json.put(OPENING);
    else json.bytes[start] = OPENING;
    json.put(CLOSING);
  }

  /** Adds a member and its cells. @returns whether the lake's column takes its value */
  #addMember(value: unknown, column: Column, path: string): boolean {
    const json = this.#json;
    const csv = this.#csv;
    const { name, before, inner, cells, isText } = column;
    if (inner !== null && isMembers(value)) {
      json.add(before);
      this.#addMembers(value, inner, json.used, `${path}${name}.`, []);
      return true;
    }
    csv.put(COMMA, cells);
    const fits = column.fits(value);
    if (!fits) this.#isAsShown = false;
    // The service left it out.
    if (value === undefined) return true;
    const isTaken = value === null || isText || (inner === null && fits);
    if (value === null || !isTaken) {
      json.add(column.asNull);
      if (!isTaken && inner === null) csv.write(cell(value));
      return isTaken;
    }
    json.add(before);
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'number') this.#addNumber(value);
    else {
      const text = JSON.stringify(ordered(value, `${path}${name}`, this.#names));
      json.write(text);
      csv.write(cell(text));
    }
    return true;
  }

  /** Byte by byte, because most texts are short. @param isQuoted whether its cell is in quotes */
  #addText(text: string, isQuoted = false): void {
    const json = this.#json;
    const csv = this.#csv;
    json.reserve(2 * text.length + 2);
    csv.reserve(2 * text.length + 2);
    const jsonBytes = json.bytes;
    const csvBytes = csv.bytes;
    let inJson = json.used;
    let inCsv = csv.used;
    jsonBytes[inJson] = QUOTE;
    inJson += 1;
    if (isQuoted) {
      csvBytes[inCsv] = QUOTE;
      inCsv += 1;
    }
    for (let at = 0; at < text.length; at += 1) {
      let byte = text.charCodeAt(at);
      if (byte < TWO_BYTES) {
        if (PLAIN[byte] === 0) {
          if (byte < BLANK) {
            this.#addEscaped(text);
            return;
          }
          if (!isQuoted && byte !== BACKSLASH) {
            this.#addText(text, true);
            return;
          }
          if (byte !== COMMA) {
            jsonBytes[inJson] = BACKSLASH;
            inJson += 1;
          }
          if (byte === QUOTE) {
            csvBytes[inCsv] = QUOTE;
            inCsv += 1;
          }
        }
      } else {
        if (byte >= THREE_BYTES) {
          this.#addEscaped(text);
          return;
        }
        jsonBytes[inJson] = 0xc0 | (byte >> 6);
        csvBytes[inCsv] = 0xc0 | (byte >> 6);
        inJson += 1;
        inCsv += 1;
        byte = 0x80 | (byte & 0x3f);
      }
      jsonBytes[inJson] = byte;
      csvBytes[inCsv] = byte;
      inJson += 1;
      inCsv += 1;
    }
    jsonBytes[inJson] = QUOTE;
    if (isQuoted) {
      csvBytes[inCsv] = QUOTE;
      inCsv += 1;
    }
    json.used = inJson + 1;
    csv.used = inCsv;
  }

  #addEscaped(text: string): void {
    this.#json.write(JSON.stringify(text));
    this.#csv.write(cell(text));
  }

  #addNumber(value: number): void {
    const digits = Number.isFinite(value) ? value.toString() : 'null';
    const json = this.#json;
    const csv = this.#csv;
    json.reserve(digits.length);
    csv.reserve(digits.length);
    for (let at = 0; at < digits.length; at += 1) {
      const unit = digits.charCodeAt(at);
      json.bytes[json.used + at] = unit;
      csv.bytes[csv.used + at] = unit;
    }
    json.used += digits.length;
    csv.used += digits.length;
  }

  /** Adds the members that the contract does not have, and the misfits. */
  #addOthers(others: Members, start: number): void {
    const indexes: string[] = [];
    for (const [name, value] of Object.entries(others)) {
      const member = `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
      if (isIndex(name)) indexes.push(member);
      else this.#json.write(member);
    }
    // As in any object, such names come first, before our own, too. The digests of sealed days depend on it.
    this.#json.insert(start, indexes.join(''));
  }
}
