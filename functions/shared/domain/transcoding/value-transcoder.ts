import { cell } from '../records/row-lines.ts';
import { USUAL, roomFor } from './cell-bytes.ts';
import { BYTE, NOT_THERE, endOfLiteral, endOfText, outlineOfValue } from './json-bytes.ts';
import { LineBuffer } from './line-buffer.ts';
import { openValue } from './open-value.ts';
import type { ValueKind } from './row-layout.ts';

/** An integer with more digits may be beyond 2^53. */
const MOST_DIGITS = 15;
/** Digits of an amount before its point. */
const MOST_AMOUNT_DIGITS = 30;
const NULL = Buffer.from('null');
/** A zero stands for any digit. */
const DATE = Buffer.from('0000-00-00');
const DATETIME = Buffer.from('0000-00-00 00:00:00');

function isDigit(byte: number): boolean {
  return byte >= BYTE.zero && byte <= BYTE.nine;
}

/**
 * Checks values of a record in its bytes, and writes each as a cell of CSV. Bytes are looked at once and copied one by one,
 * because most values have fewer than twenty. What is unusual is parsed: escapes, fractions, lists of objects.
 */
export class ValueTranscoder {
  /**
   * The last value as the JSON line must have it, when the service wrote it in another way. `undefined` when its bytes can stay as
   * they are.
   */
  replacement: string | undefined;
  /** An upper bound of the values inside of lists and objects so far. */
  innerValues = 0;
  #csv = new LineBuffer();
  #json: Buffer = Buffer.alloc(0);

  /**
   * Sets the bytes of the record.
   *
   * @param csv gets the cells; there must be {@link roomFor} the record
   */
  begin(json: Buffer, csv: LineBuffer): void {
    this.#json = json;
    this.#csv = csv;
    this.replacement = undefined;
  }

  /**
   * Writes one value as a cell.
   *
   * @returns its end, or {@link NOT_THERE} when it is not of that kind or must be left to the reader of whole answers
   */
  write(kind: ValueKind, at: number): number {
    switch (kind) {
      case 'integer':
        return this.#integer(at);
      case 'text':
        return this.#text(at);
      case 'text or null':
        return this.#json[at] === BYTE.n ? endOfLiteral(this.#json, at, NULL) : this.#text(at);
      case 'amount':
        return this.#amount(at);
      case 'date':
        return this.#pattern(at, DATE);
      case 'datetime':
        return this.#pattern(at, DATETIME);
      case 'texts':
        return this.#texts(at);
      case 'list':
        return this.#json[at] === BYTE.openingBracket ? this.#list(at) : NOT_THERE;
      case 'open':
        return this.#open(at);
    }
  }

  /** Digits as they are. @returns where they end */
  #digits(start: number): number {
    const json = this.#json;
    const { bytes } = this.#csv;
    let { used } = this.#csv;
    let at = start;
    for (let byte = json[at] ?? 0; isDigit(byte); byte = json[at] ?? 0) {
      bytes[used] = byte;
      used += 1;
      at += 1;
    }
    this.#csv.used = used;
    return at;
  }

  #sign(at: number): number {
    if (this.#json[at] !== BYTE.minus) return at;
    this.#csv.put(BYTE.minus);
    return at + 1;
  }

  #integer(start: number): number {
    const first = this.#sign(start);
    const end = this.#digits(first);
    const count = end - first;
    if (count === 0 || count > MOST_DIGITS) return NOT_THERE;
    // Only the number 0 begins with this digit, and a minus before it is left to the parser.
    if (this.#json[first] === BYTE.zero && (count > 1 || first > start)) return NOT_THERE;
    return end;
  }

  #amount(start: number): number {
    if (this.#json[start] !== BYTE.quote) return NOT_THERE;
    const first = this.#sign(start + 1);
    const point = this.#digits(first);
    const count = point - first;
    if (count === 0 || count > MOST_AMOUNT_DIGITS || this.#json[point] !== BYTE.point) return NOT_THERE;
    this.#csv.put(BYTE.point);
    const end = this.#digits(point + 1);
    return end === point + 4 && this.#json[end] === BYTE.quote ? end + 1 : NOT_THERE;
  }

  #pattern(start: number, pattern: Buffer): number {
    const json = this.#json;
    if (json[start] !== BYTE.quote) return NOT_THERE;
    for (let index = 0; index < pattern.length; index += 1) {
      const byte = json[start + 1 + index] ?? 0;
      const expected = pattern[index];
      if (expected === BYTE.zero ? !isDigit(byte) : byte !== expected) return NOT_THERE;
    }
    const end = start + 1 + pattern.length;
    if (json[end] !== BYTE.quote) return NOT_THERE;
    this.#csv.copy(json, start + 1, end);
    return end + 1;
  }

  #text(start: number): number {
    const json = this.#json;
    if (json[start] !== BYTE.quote) return NOT_THERE;
    const { bytes } = this.#csv;
    let { used } = this.#csv;
    let at = start + 1;
    let byte = json[at] ?? 0;
    while (USUAL[byte] === 1) {
      bytes[used] = byte;
      used += 1;
      at += 1;
      byte = json[at] ?? 0;
    }
    if (byte !== BYTE.quote) return this.#quotedText(start);
    this.#csv.used = used;
    return at + 1;
  }

  /** A text with commas or quotes: its cell has quotes around it. */
  #quotedText(start: number): number {
    const json = this.#json;
    const { bytes } = this.#csv;
    let { used } = this.#csv;
    bytes[used] = BYTE.quote;
    used += 1;
    for (let at = start + 1; ; at += 1) {
      const byte = json[at] ?? 0;
      if (byte === BYTE.quote) {
        bytes[used] = BYTE.quote;
        this.#csv.used = used + 1;
        return at + 1;
      }
      if (byte === BYTE.backslash && json[at + 1] === BYTE.quote) {
        bytes[used] = BYTE.quote;
        bytes[used + 1] = BYTE.quote;
        used += 2;
        at += 1;
      } else if (byte === BYTE.comma || USUAL[byte] === 1) {
        bytes[used] = byte;
        used += 1;
      } else {
        break;
      }
    }
    return this.#parsedText(start);
  }

  #parsedText(start: number): number {
    const end = endOfText(this.#json, start);
    if (end === NOT_THERE) return NOT_THERE;
    try {
      return this.#parsed(end, JSON.parse(this.#json.toString('utf8', start, end)));
    } catch {
      return NOT_THERE;
    }
  }

  /** Writes a value that was parsed, and prints its JSON anew. */
  #parsed(end: number, value: unknown): number {
    this.replacement = JSON.stringify(value);
    // Of a list or an object, the cell is its JSON.
    const shown = typeof value === 'object' && value !== null ? this.replacement : value;
    this.#csv.write(cell(shown), roomFor(this.#json.length - end));
    return end;
  }

  /** A list of texts. In CSV it is one cell, and it has quotes. */
  #texts(start: number): number {
    const json = this.#json;
    if (json[start] !== BYTE.openingBracket) return NOT_THERE;
    if (json[start + 1] === BYTE.closingBracket) return this.#list(start);
    const { bytes } = this.#csv;
    let { used } = this.#csv;
    bytes[used] = BYTE.quote;
    bytes[used + 1] = BYTE.openingBracket;
    used += 2;
    let at = start;
    let byte: number = BYTE.comma;
    while (byte === BYTE.comma) {
      this.innerValues += 1;
      at += 1;
      if (json[at] !== BYTE.quote) return NOT_THERE;
      bytes[used] = BYTE.quote;
      bytes[used + 1] = BYTE.quote;
      used += 2;
      at += 1;
      byte = json[at] ?? 0;
      while (byte === BYTE.comma || USUAL[byte] === 1) {
        bytes[used] = byte;
        used += 1;
        at += 1;
        byte = json[at] ?? 0;
      }
      if (byte !== BYTE.quote) return NOT_THERE;
      at += 1;
      byte = json[at] ?? 0;
      bytes[used] = BYTE.quote;
      bytes[used + 1] = BYTE.quote;
      bytes[used + 2] = byte;
      used += 3;
    }
    if (byte !== BYTE.closingBracket) return NOT_THERE;
    bytes[used] = BYTE.quote;
    this.#csv.used = used + 1;
    return at + 1;
  }

  #list(start: number): number {
    if (this.#json[start + 1] !== BYTE.closingBracket) return this.#otherValue(start);
    this.#csv.copy(this.#json, start, start + 2);
    return start + 2;
  }

  #open(start: number): number {
    const first = this.#json[start] ?? 0;
    if (first === BYTE.n) return endOfLiteral(this.#json, start, NULL);
    if (first === BYTE.quote) return this.#text(start);
    const { used } = this.#csv;
    const end = this.#integer(start);
    const next = this.#json[end];
    if (end !== NOT_THERE && (next === BYTE.comma || next === BYTE.closingBrace)) return end;
    this.#csv.used = used;
    return this.#otherValue(start);
  }

  #otherValue(start: number): number {
    const outline = outlineOfValue(this.#json, start);
    if (outline === undefined) return NOT_THERE;
    const open = openValue(this.#json.toString('utf8', start, outline.end), outline);
    if (open === undefined) return NOT_THERE;
    this.innerValues += outline.values;
    return this.#parsed(outline.end, open.value);
  }
}
