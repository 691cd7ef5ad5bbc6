import { beginningsOfLines } from '../records/row-lines.ts';
import type { RowOrigin } from '../records/row-lines.ts';
import { roomFor } from './cell-bytes.ts';
import { BYTE, NOT_THERE, endOfLiteral } from './json-bytes.ts';
import type { LineBuffer } from './line-buffer.ts';
import type { RowLayout } from './row-layout.ts';
import { ValueTranscoder } from './value-transcoder.ts';

/** Where a value stands in the bytes of its record. */
export interface Span {
  start: number;
  end: number;
}

/** What the lines of both formats begin with, UTF-8: Daybook's own members. */
export interface OwnBytes {
  json: Buffer;
  csv: Buffer;
}

/** What the lines of an origin begin with. */
export function ownBytes(origin: RowOrigin): OwnBytes {
  const { json, csv } = beginningsOfLines(origin);
  return { json: Buffer.from(json), csv: Buffer.from(csv) };
}

interface Place {
  before: Uint8Array;
  column: string;
  kind: RowLayout['values'][number]['kind'];
  isRedacted: boolean;
  /** Gets where the value stands, when somebody asks for its column. */
  span: Span | undefined;
}

const REDACTED = 'null';

/**
 * Writes the bytes of records as lines of both formats, without objects in between. It takes a record only when its bytes have exactly the
 * contract's members in the contract's order. Such a line is the same as that of the parsed record, byte by byte.
 */
export class RowTranscoder {
  readonly #values = new ValueTranscoder();
  readonly #places: readonly Place[];
  readonly #after: Uint8Array;

  /** @param redacted columns in lower case whose values are left out */
  constructor(layout: RowLayout, redacted: ReadonlySet<string>) {
    this.#after = layout.after;
    this.#places = layout.values.map(({ before, column, kind }) => ({
      before,
      column,
      kind,
      isRedacted: redacted.has(column.toLowerCase()),
      span: undefined,
    }));
  }

  /** Where the value of a column stands: from now on in the record that came last. */
  spanOf(column: string): Span {
    const span = { start: 0, end: 0 };
    for (const place of this.#places) if (place.column === column) place.span = span;
    return span;
  }

  /** An upper bound of the values inside of lists and objects, in all records so far. */
  get innerValues(): number {
    return this.#values.innerValues;
  }

  /**
   * Adds a line to both formats, with its line end.
   *
   * @param source bytes with a record at `start`, valid UTF-8
   * @param own what the two lines begin with
   * @param json gets one line
   * @param csv gets the other
   * @returns the end of the record, or {@link NOT_THERE} when it must be parsed. Then the lines are not complete
   */
  add(source: Buffer, start: number, own: OwnBytes, json: LineBuffer, csv: LineBuffer): number {
    const left = source.length - start;
    json.reserve(own.json.length + left + 1);
    csv.reserve(own.csv.length + roomFor(left));
    json.copy(own.json);
    csv.copy(own.csv);
    this.#values.begin(source, csv);
    // Daybook's own members have the opening brace.
    let copied = start + 1;
    let at = start;
    for (const place of this.#places) {
      const from = endOfLiteral(source, at, place.before);
      if (from === NOT_THERE) return NOT_THERE;
      csv.put(BYTE.comma);
      const cell = csv.used;
      at = this.#values.write(place.kind, from);
      if (at === NOT_THERE) return NOT_THERE;
      if (place.span !== undefined) {
        place.span.start = from;
        place.span.end = at;
      }
      if (place.isRedacted) csv.used = cell;
      const replacement = place.isRedacted ? REDACTED : this.#values.replacement;
      if (replacement === undefined) continue;
      this.#values.replacement = undefined;
      json.copy(source, copied, from);
      json.write(replacement, source.length - at + 1);
      copied = at;
    }
    const end = endOfLiteral(source, at, this.#after);
    if (end === NOT_THERE) return NOT_THERE;
    json.copy(source, copied, end);
    json.put(BYTE.lineEnd);
    csv.put(BYTE.lineEnd);
    return end;
  }
}
