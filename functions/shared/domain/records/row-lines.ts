import { csvFormatValue } from 'd3-dsv';
import type { Table } from '../revision/manifest.ts';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { SHAPES } from './row-shape.ts';
import type { ShapeMember } from './row-shape.ts';

/** The merchant, the day and the type of a row. `queryType` is `null` for refunds. */
export interface RowOrigin {
  merchantCode: string;
  day: string;
  queryType: string | null;
}

const LINE_BREAK = /\r\n|\r|\n/g;
const ESCAPE_CHARACTER = /\uE000/g;
const NAME_IS_NUMBER = /^\{"\d/;
const NOT_AS_IT_IS = /[",\r\n\uE000]/;
const TO_REPLACE = /[\r\n\uE000]/;

/**
 * One value as a cell; `null` is an empty cell. A line break becomes the two characters `\n`, so that each
 * row is one line. U+E000 is the escape character of the lake's tables, so it is removed from values.
 */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  // The same as JSON, in a tenth of the time.
  if (typeof value === 'number') return Number.isFinite(value) ? value.toString() : 'null';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Hardly any value contains them, and searching is cheaper than replacing and quoting.
  if (!NOT_AS_IT_IS.test(text)) return text;
  const oneLine = TO_REPLACE.test(text)
    ? text.replace(LINE_BREAK, '\\n').replace(ESCAPE_CHARACTER, '\uFFFD')
    : text;
  return csvFormatValue(oneLine);
}

const NO_MEMBERS: Members = {};

function membersOf(value: unknown): Members {
  return isMembers(value) ? value : NO_MEMBERS;
}

/** Puts the values into their columns, from column `at` on. @returns the next column */
function putCells(
  cells: string[],
  at: number,
  row: Members,
  sent: Members,
  shape: readonly ShapeMember[],
): number {
  let column = at;
  for (const { name, members } of shape) {
    if (members === null) {
      // Null in the row, a misfit has its cell here: all columns are texts.
      cells[column] = cell(row[name] ?? sent[name]);
      column += 1;
    } else {
      column = putCells(cells, column, membersOf(row[name]), membersOf(sent[name]), members);
    }
  }
  return column;
}

function ownMembers({ merchantCode, day, queryType }: RowOrigin): Members {
  return { _merchant_code: merchantCode, _day: day, _query_type: queryType };
}

/** What the lines of these rows begin with: Daybook's own members with an opening brace and a comma at the end, and its own cells. */
export function beginningsOfLines(origin: RowOrigin): { json: string; csv: string } {
  const own = ownMembers(origin);
  return { json: `${JSON.stringify(own).slice(0, -1)},`, csv: Object.values(own).map(cell).join(',') };
}

/** The rows of one table, merchant, day and type in both formats, without line ends. */
export class RowLines {
  readonly #shape: ShapeMember[];
  readonly #own: Members;
  readonly #json: string;
  /** The cells of one row, used again for the next: Daybook's own as one text, then the columns. */
  readonly #cells: string[];

  constructor(table: Table, origin: RowOrigin) {
    this.#shape = SHAPES[table];
    this.#own = ownMembers(origin);
    const { json, csv } = beginningsOfLines(origin);
    this.#json = json;
    this.#cells = [csv];
  }

  /**
   * Daybook's own members, then the record's.
   *
   * @param record of `canonicalRecord`
   * @returns the line in two parts: as one text, it would be copied once more
   */
  json(record: Members): readonly [string, string] {
    const text = JSON.stringify(record);
    // In any object, members whose names are numbers come first, so they come before our own here. The
    // digests of sealed days depend on this order.
    if (NAME_IS_NUMBER.test(text)) return ['', JSON.stringify({ ...this.#own, ...record })];
    return [this.#json, text.slice(1)];
  }

  /**
   * The columns of {@link csvColumns}. Members that the contract does not have are in the JSON only.
   *
   * @param row of `canonicalRecord`
   * @param sent the record of which it was made, where the two differ
   */
  csv(row: Members, sent = row): string {
    // Joined at once: a text that grows cell by cell takes four times the memory.
    putCells(this.#cells, 1, row, sent, this.#shape);
    return this.#cells.join(',');
  }
}
