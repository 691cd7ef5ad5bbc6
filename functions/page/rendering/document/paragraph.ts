import bidiFactory from 'bidi-js';
import type { EmbeddingLevels } from 'bidi-js';
import LineBreaker from 'linebreak';
import type { Direction, FontFace } from './font-face.ts';
import { bounded } from '#mail/formatters/outside-text.ts';

const NO_BREAK_SPACE = '\u00A0';
/** They keep a value's direction to the value, and end with their text. */
const ISOLATES = /[\u2066-\u2069\u061C]/g;
/**
 * Characters that nobody sees, among them those that turn text round (U+202A to U+202E, U+200E, U+200F).
 * Isolates and the joiners that shape Arabic letters stay.
 */
const INVISIBLE =
  /(?![\u2066-\u2069\u061C\u200C\u200D])[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
const STRAY_JOINERS = /(?<![\p{Script=Arabic}\p{M}])[\u200C\u200D]|[\u200C\u200D](?!\p{Script=Arabic})/gu;
const SPACES = /(?:[^\S\u00A0]|[\p{Cc}\p{Zl}\p{Zp}])+/gu;
const NO_BREAK_SPACES = /[\u2007\u202F]/g;
/** Marks on one letter. More of them would be printed over the lines above and below. */
const TOO_MANY_MARKS = /(\p{M}{3})\p{M}+/gu;

/**
 * A text as one paragraph, without invisible characters and those that change the direction of what is beside
 * them. Linear time.
 * @param limit UTF-16 units; a longer text ends in an ellipsis
 */
export function printableText(text: string, limit: number): string {
  // Cut first, so that a huge text costs no more than a long one.
  const beginning = bounded(text, limit * 4).toWellFormed();
  const seen = beginning
    .replace(NO_BREAK_SPACES, NO_BREAK_SPACE)
    .replace(SPACES, ' ')
    .replace(INVISIBLE, '')
    .replace(STRAY_JOINERS, '')
    .normalize('NFC')
    .replace(TOO_MANY_MARKS, '$1')
    .trim();
  return bounded(seen, limit);
}

/** The text without the marks of its directions, for what stores text in the order of speech. */
export function withoutDirections(text: string): string {
  return text.replace(ISOLATES, '');
}

interface Run {
  direction: Direction;
  text: string;
  width: number;
}

export interface Line {
  runs: readonly Run[];
  width: number;
}

/** `end` is after the last character. */
interface Span {
  start: number;
  end: number;
  direction: Direction;
}

interface Part {
  start: number;
  end: number;
  width: number;
  blanks: number;
}

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
/** A number with its sign, a date: it is written from the left in every language. */
const NO_WORDS = /^[^\p{L}\s]*$/u;

const ASCII = /^[\x20-\x7E]*$/;
const BLANK = /[\s\u2066-\u2069\u061C]/;

/** A text of one paragraph. The Unicode bidirectional algorithm says in which order its characters are printed. */
export class Paragraph {
  readonly #text: string;
  readonly #face: FontFace;
  readonly #levels: EmbeddingLevels;
  readonly #spans: readonly Span[];
  /** The index of each character's span. */
  readonly #spanAt: Uint16Array;
  readonly #blank: number;
  readonly #whole: Line;

  /** @param text of printableText. Without letters and blanks, as `-5.000`, it is written from the left */
  constructor(text: string, face: FontFace, direction: Direction) {
    this.#text = face.known(text);
    this.#face = face;
    this.#blank = face.width(' ', 'ltr');
    this.#levels = levelsOf(this.#text, direction);
    this.#spans = spansOf(this.#levels);
    this.#spanAt = Uint16Array.from(
      this.#spans.flatMap(({ start, end }, index) => new Array<number>(end - start).fill(index)),
    );
    this.#whole = this.#line(0, this.#text.length);
  }

  get text(): string {
    return withoutDirections(this.#text);
  }

  get isReordered(): boolean {
    return this.#spans.some(({ direction }) => direction === 'rtl');
  }

  /** Of the whole text on one line, in the size 1. */
  get width(): number {
    return this.#whole.width;
  }

  /** Of the longest part that no line may break, in the size 1. */
  get longestPart(): number {
    return this.#parts().reduce((longest, { width }) => Math.max(longest, width), 0);
  }

  /** A part that is longer than a line is broken between two letters. @param width in the size 1 */
  lines(width: number): Line[] {
    if (this.#text === '') return [];
    if (this.#whole.width <= width) return [this.#whole];
    const lines: Line[] = [];
    let start = 0;
    let end = 0;
    let filled = 0;
    const add = (piece: number, last: number, blanks = 0) => {
      if (end > start && filled + piece > width) {
        lines.push(this.#line(start, end));
        start = end;
        filled = 0;
      }
      filled += piece + blanks * this.#blank;
      end = last;
    };
    for (const part of this.#parts()) {
      if (part.width <= width) add(part.width, part.end, part.blanks);
      else for (const letter of this.#letters(part)) add(letter.width, letter.end);
    }
    return [...lines, this.#line(start, end)];
  }

  #parts(): Part[] {
    const breaker = new LineBreaker(this.#text);
    const parts: Part[] = [];
    for (let at = breaker.nextBreak(), start = 0; at !== null; at = breaker.nextBreak()) {
      const end = at.position;
      const last = this.#withoutBlanks(start, end);
      parts.push({ start, end, width: this.#width(start, last), blanks: end - last });
      start = end;
    }
    return parts;
  }

  /** The width of a letter alone: joined to others it is hardly ever wider. */
  #letters({ start, end }: Part): { end: number; width: number }[] {
    return Array.from(graphemes.segment(this.#text.slice(start, end)), ({ index, segment }) => {
      const last = start + index + segment.length;
      return { end: last, width: this.#width(start + index, last) };
    });
  }

  #withoutBlanks(start: number, end: number): number {
    let last = end;
    while (last > start && BLANK.test(this.#text.charAt(last - 1))) last -= 1;
    return last;
  }

  #width(start: number, end: number): number {
    return widthOf(this.#spansBetween(start, end).map((span) => this.#run(span)));
  }

  #line(start: number, end: number): Line {
    const last = this.#withoutBlanks(start, end);
    const first = this.#spanAt[start] ?? 0;
    const spans = this.#spansBetween(start, last);
    // The first character of each span says the order. Those before the line's beginning do not count.
    const order = new Set(
      spans.length > 1
        ? bidi
            .getReorderedIndices(this.#text, this.#levels, start, last - 1)
            .slice(start, last)
            .map((index) => (this.#spanAt[index] ?? 0) - first)
        : spans.keys(),
    );
    const runs = [...order]
      .flatMap((index) => spans[index] ?? [])
      .map((span) => this.#run(span))
      .filter(({ text }) => text !== '');
    return { runs, width: widthOf(runs) };
  }

  #spansBetween(start: number, end: number): Span[] {
    const spans: Span[] = [];
    for (let index = this.#spanAt[start] ?? 0; index < this.#spans.length; index += 1) {
      const span = this.#spans[index];
      if (span === undefined || span.start >= end) break;
      spans.push({ ...span, start: Math.max(span.start, start), end: Math.min(span.end, end) });
    }
    return spans;
  }

  #run({ start, end, direction }: Span): Run {
    const characters = withoutDirections(this.#text.slice(start, end));
    const text =
      direction === 'ltr' ? characters : characters.replace(/./gsu, (each) => mirrored(each, this.#face));
    return { direction, text, width: this.#face.width(text, direction) };
  }
}

function levelsOf(text: string, direction: Direction): EmbeddingLevels {
  const base = NO_WORDS.test(text) ? 'ltr' : direction;
  // Most cells are amounts, and the algorithm, which would say the same, is slow.
  if (base === 'ltr' && ASCII.test(text)) return { levels: new Uint8Array(text.length) };
  return bidi.getEmbeddingLevels(text, base);
}

function spansOf({ levels }: EmbeddingLevels): Span[] {
  const spans: Span[] = [];
  for (const [index, level] of levels.entries()) {
    const last = spans.at(-1);
    if (last !== undefined && level === levels[index - 1]) last.end = index + 1;
    else spans.push({ start: index, end: index + 1, direction: level % 2 === 1 ? 'rtl' : 'ltr' });
  }
  return spans;
}

/** A bracket that is printed from the right is the other one of its pair. */
function mirrored(character: string, face: FontFace): string {
  const other = bidi.getMirroredCharacter(character);
  return other !== null && face.has(other) ? other : character;
}

function widthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { width }) => sum + width, 0);
}
