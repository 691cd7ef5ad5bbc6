import { describe, expect, it } from 'vitest';
import { FontFace, type Direction } from '#page/rendering/document/font-face.ts';
import { readDocumentFonts } from '#page/document-fonts.ts';
import { harfbuzzShaper, type PlacedGlyph } from '#support/rendering/harfbuzz.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

const { regular, bold } = await readDocumentFonts();
const faces = { regular: new FontFace('regular', regular), bold: new FontFace('bold', bold) };
const shapers = { regular: harfbuzzShaper(regular, ['tnum']), bold: harfbuzzShaper(bold, ['tnum']) };
const WEIGHTS = ['regular', 'bold'] as const;

function shaped(face: FontFace, text: string, direction: Direction): PlacedGlyph[] {
  const { glyphs, positions } = face.shape(text, direction);
  return glyphs.map(({ id }, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    return { id, advance: xAdvance, x: xOffset, y: yOffset };
  });
}

/** The glyphs' names in the font, from left to right. They say the Unicode character of each form of a letter. */
function forms(text: string): string[] {
  return faces.regular.shape(text, 'rtl').glyphs.map(({ name }) => name);
}

describe('Arabic letters', () => {
  it('are joined, and kept apart by a non-joiner', () => {
    expect(forms('بب')).toEqual(['uniFE90', 'uniFE91']);
    expect(forms('ب\u200Cب')).toEqual(['uni0628', 'uni0628']);
    expect(forms('ب\u200D')).toEqual(['uniFE91']);
  });

  it.each(WEIGHTS)('have the glyphs and the places that HarfBuzz gives them (%s)', (weight) => {
    const letter = fc.constantFrom(...Array.from('ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگی'));
    const marked = fc
      .tuple(letter, fc.constantFrom('', '', '', 'َ', 'ّ', 'ٍ', 'َّ', 'ٰ'))
      .map((parts) => parts.join(''));
    const word = fc.array(marked, { minLength: 1, maxLength: 12 }).map((letters) => letters.join(''));
    const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((several) => several.join(' '));
    forAll([words], { numRuns: 300 }, (text) => {
      expect(shaped(faces[weight], text, 'rtl')).toEqual(shapers[weight](text, 'rtl'));
    });
  });
});

describe('Latin letters and digits', () => {
  it.each(WEIGHTS)('have the glyphs and the places that HarfBuzz gives them (%s)', (weight) => {
    const character = fc.constantFrom(...Array.from('AVWTofailn0123456789.,-+%/() éğŠ٠١٢٣٤٥٦٧٨٩٫٬٪'));
    forAll([fc.string({ unit: character, minLength: 1, maxLength: 20 })], { numRuns: 300 }, (text) => {
      expect(shaped(faces[weight], text, 'ltr')).toEqual(shapers[weight](text, 'ltr'));
    });
  });

  it.each(['0123456789', '٠١٢٣٤٥٦٧٨٩'])(
    'has digits of one width, so that amounts are below each other: %s',
    (digits) => {
      for (const face of Object.values(faces)) {
        expect(new Set(Array.from(digits, (digit) => face.width(digit, 'ltr'))).size).toBe(1);
      }
    },
  );
});

it.each([
  ['Zoë Ğ Š ﷲ', 'Zoë Ğ Š ﷲ'],
  ['नमस्ते 日本', '???? ??'],
  ['👩‍👩‍👧', '?\u200D?\u200D?'],
  ['ṩ', 's'],
  ['ｗｉｄｅ', 'wide'],
])('letters that the font does not have %j is printed as %j', (text, known) => {
  expect(faces.regular.known(text)).toBe(known);
});

it('a file that is no font is refused', () => {
  expect(() => new FontFace('none', new Uint8Array(100))).toThrow();
});
