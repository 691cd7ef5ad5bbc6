import { csvFormatValue } from 'd3-dsv';
import type { Table } from '../revision/manifest.ts';
import { isMembers } from '../json/exact-json.ts';
import type { Members } from '../json/exact-json.ts';
import { SHAPES } from './row-shape.ts';
import type { ShapeMember } from './row-shape.ts';

/** What a row is of, besides the record itself. `queryType` is `null` for refunds. */
export interface RowOrigin {
  merchantCode: string;
  day: string;
  queryType: string | null;
}

const LINE_BREAK = /\r\n|\r|\n/g;
const ESCAPE_CHARACTER = /\uE000/g;
const NAME_IS_NUMBER = /^\{"\d/;
const NOT_AS_IT_IS = /[",\r\n\uE000]/;

/**
 * One value as a cell; `null` is an empty one. A line break becomes the two characters `\n`, so that a row is a line;
 * U+E000 is the escape character that the lake's tables name because data never hold it, and so they never do.
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  // As JSON has it, in a tenth of the time.
  if (typeof value === 'number') return Number.isFinite(value) ? value.toString() : 'null';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Hardly any value has them, and looking is cheaper than replacing and quoting.
  if (!NOT_AS_IT_IS.test(text)) return text;
  return csvFormatValue(text.replace(LINE_BREAK, '\\n').replace(ESCAPE_CHARACTER, '\uFFFD'));
}

function cells(record: Members, shape: ShapeMember[], before: string): string {
  let line = before;
  for (const { name, members } of shape) {
    const value = record[name];
    line += members === null ? `,${cell(value)}` : cells(isMembers(value) ? value : {}, members, '');
  }
  return line;
}

/** The rows of one table that are of one origin, in both formats. Neither ends in a line end. */
export class RowLines {
  readonly #shape: ShapeMember[];
  readonly #own: Members;
  readonly #json: string;
  readonly #csv: string;

  constructor(table: Table, { merchantCode, day, queryType }: RowOrigin) {
    this.#shape = SHAPES[table];
    const own = { _merchant_code: merchantCode, _day: day, _query_type: queryType };
    this.#own = own;
    this.#json = `${JSON.stringify(own).slice(0, -1)},`;
    this.#csv = Object.values(own).map(cell).join(',');
  }

  /** Daybook's own members, then the record's. @param record of `canonicalRecord` */
  json(record: Members): string {
    const text = JSON.stringify(record);
    // Members whose names are numbers stand first in any object, and so before our own: a day that was sealed so must
    // not look changed.
    if (NAME_IS_NUMBER.test(text)) return JSON.stringify({ ...this.#own, ...record });
    return this.#json + text.slice(1);
  }

  /** The columns of {@link csvColumns}; members that the contract does not know stand in the JSON only. */
  csv(record: Members): string {
    return cells(record, this.#shape, this.#csv);
  }
}
