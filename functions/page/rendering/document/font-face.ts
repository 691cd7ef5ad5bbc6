import { create } from 'fontkit';
import type { Font, Glyph, GlyphPosition, GlyphRun } from 'fontkit';

export type Direction = 'ltr' | 'rtl';

export interface Shaped {
  glyphs: readonly Glyph[];
  positions: readonly GlyphPosition[];
}

/** What is printed for a letter that the font does not have. */
const UNKNOWN = '?';
/** Joiners, isolates and the Arabic letter mark: they shape and order other letters, and need no glyph. */
const WITHOUT_GLYPH = /[\u200C\u200D\u2066-\u2069\u061C]/;
const MARK = /\p{M}/u;
/** Digits of one width, so that those of amounts are below each other. */
const FEATURES = ['tnum'];
/** A feature of fonts for what is written from the right. pdfkit passes the features of a run to the font, and nothing else. */
const RIGHT_TO_LEFT = 'rtla';
/** Runs that a font remembers, because each is measured before it is printed. */
const MOST_REMEMBERED = 2_000;

/**
 * The character of Unicode for each Arabic ligature: programs that read a line from the right turn round the
 * letters of a ligature, but cannot turn a single character.
 */
const LIGATURES: ReadonlyMap<string, number> = new Map(
  [...rangeOf(0xfe_fc, 0xfe_70), ...rangeOf(0xfd_ff, 0xfb_50)]
    .map((codePoint) => [String.fromCodePoint(codePoint).normalize('NFKC'), codePoint] as const)
    .filter(([letters]) => letters.length > 1),
);

function rangeOf(last: number, first: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => last - index);
}

/** The features that pdfkit must be given with a run, so that {@link FontFace.font} knows the run's direction. */
export function featuresOf(direction: Direction): 'rtla'[] {
  return direction === 'rtl' ? [RIGHT_TO_LEFT] : [];
}

/** A font file. It shapes letters: it chooses the form of each and says where it stands. */
export class FontFace {
  readonly name: string;
  /** For pdfkit. Without the direction of a run, fontkit would turn Arabic digits round. */
  readonly font: Font;
  readonly #characters: ReadonlySet<number>;
  readonly #layout: Font['layout'];
  readonly #blank: number;
  readonly #remembered = new Map<string, Shaped>();

  /** @throws {Error} when the bytes are not one font */
  constructor(name: string, bytes: Uint8Array) {
    const font = create(Buffer.from(bytes));
    if (!('layout' in font)) throw new Error('a font file must have one font');
    keepCharacters(font);
    this.name = name;
    this.#characters = new Set(font.characterSet);
    this.#blank = font.glyphForCodePoint(0x20).id;
    this.#layout = font.layout.bind(font);
    font.layout = (text, features) => {
      const isRightToLeft = Array.isArray(features) && features.includes(RIGHT_TO_LEFT);
      return runOf(this.shape(text, isRightToLeft ? 'rtl' : 'ltr'), font);
    };
    this.font = font;
  }

  /** The glyphs of a text of one direction, in letters of {@link known}. */
  shape(text: string, direction: Direction): Shaped {
    const name = `${direction} ${text}`;
    const known = this.#remembered.get(name);
    if (known !== undefined) return known;
    const shaped = this.#shape(text, direction);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(name, shaped);
    return shaped;
  }

  #shape(text: string, direction: Direction): Shaped {
    const script = direction === 'rtl' ? 'arab' : 'latn';
    const { glyphs, positions } = this.#layout(text, FEATURES, script, undefined, direction);
    for (const glyph of glyphs) {
      const letters = glyph.codePoints;
      const ligature = letters.length > 1 ? LIGATURES.get(String.fromCodePoint(...letters)) : undefined;
      if (ligature !== undefined) glyph.codePoints = [ligature];
    }
    // What fontkit gives for a joiner: the box for unknown letters, or a blank without width.
    const isPrinted = (index: number) => {
      const id = glyphs[index]?.id;
      return id !== 0 && (id !== this.#blank || positions[index]?.xAdvance !== 0);
    };
    return {
      glyphs: glyphs.filter((_, index) => isPrinted(index)),
      positions: positions.filter((_, index) => isPrinted(index)),
    };
  }

  /** Of a run in the size 1. */
  width(text: string, direction: Direction): number {
    return advanceOf(this.shape(text, direction).positions) / this.font.unitsPerEm;
  }

  has(character: string): boolean {
    return this.#characters.has(character.codePointAt(0) ?? 0);
  }

  /** The text in letters of the font: without a mark that it has not, and a question mark for any other letter. */
  known(text: string): string {
    return text.replace(/./gsu, (character) => {
      if (this.has(character) || WITHOUT_GLYPH.test(character)) return character;
      if (MARK.test(character)) return '';
      const [plain = ''] = character.normalize('NFKD');
      return this.has(plain) ? plain : UNKNOWN;
    });
  }
}

/**
 * fontkit remembers each glyph with the characters that it was first asked for. What embeds a font asks for
 * the parts of letters without any, such as the e of an é: in the next file, that e would be no text.
 */
function keepCharacters(font: Font): void {
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const glyph = getGlyph(id, characters);
    if (glyph.codePoints.length === 0) glyph.codePoints = characters;
    return glyph;
  };
}

function advanceOf(positions: readonly GlyphPosition[]): number {
  return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
}

/** As pdfkit takes it. It changes the positions to its own units, and then asks for the width. */
function runOf({ glyphs, positions }: Shaped, { bbox }: Font): GlyphRun {
  const own = positions.map((position) => ({ ...position }));
  return {
    glyphs: [...glyphs],
    positions: own,
    get advanceWidth() {
      return advanceOf(own);
    },
    advanceHeight: 0,
    script: '',
    language: '',
    direction: '',
    features: {},
    bbox,
  };
}
