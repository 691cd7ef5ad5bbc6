import { FontFace, type Direction } from '#page/rendering/document/font-face.ts';
import { Paragraph, printableText, withoutDirections } from '#page/rendering/document/paragraph.ts';
import type { Line } from '#page/rendering/document/paragraph.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { ANY_CHARACTER, fc, forAll } from '#support/assertions/index.ts';
import { readDocumentFonts } from '#page/document-fonts.ts';
import * as harfbuzz from 'harfbuzzjs';

const { regular, bold } = await readDocumentFonts();
const faces = { regular: new FontFace('regular', regular), bold: new FontFace('bold', bold) };
const shapers = { regular: harfbuzzShaper(regular), bold: harfbuzzShaper(bold) };

/** Each glyph of a run from left to right, by its number in the font, how far it moves on, and where it stands from there. */
function placed(
  ids: readonly number[],
  positions: readonly { xAdvance?: number; xOffset?: number; yOffset?: number }[],
) {
  return ids.map((id, index) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
    return { id, xAdvance, xOffset, yOffset };
  });
}

function shaped(face: FontFace, text: string, direction: Direction) {
  const { glyphs, positions } = face.shape(text, direction);
  return placed(
    glyphs.map(({ id }) => id),
    positions,
  );
}

/** The same by HarfBuzz, the shaper of browsers, with digits of one width. */
function harfbuzzShaper(font: Uint8Array) {
  const shaper = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(font)));
  return (text: string, direction: Direction) => {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.setDirection(direction === 'rtl' ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
    buffer.setScript(direction === 'rtl' ? 'Arab' : 'Latn');
    buffer.setFlags(harfbuzz.BufferFlag.REMOVE_DEFAULT_IGNORABLES);
    harfbuzz.shape(shaper, buffer, [new harfbuzz.Feature('tnum')]);
    const ids = buffer.getGlyphInfos().map(({ codepoint }) => codepoint);
    return placed(ids, buffer.getGlyphPositions());
  };
}

/** The glyphs' names in the font, from left to right. They say the Unicode character of each form of a letter. */
function forms(text: string): string[] {
  return faces.regular.shape(text, 'rtl').glyphs.map(({ name }) => name);
}

it('Arabic letters are joined, and kept apart by a non-joiner', () => {
  expect(forms('بب')).toEqual(['uniFE90', 'uniFE91']);
  expect(forms('ب\u200Cب')).toEqual(['uni0628', 'uni0628']);
  expect(forms('ب\u200D')).toEqual(['uniFE91']);
});

const letter = fc.constantFrom(...Array.from('ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگی'));
const marked = fc
  .tuple(letter, fc.constantFrom('', '', '', 'َ', 'ّ', 'ٍ', 'َّ', 'ٰ'))
  .map((parts) => parts.join(''));
const word = fc.array(marked, { minLength: 1, maxLength: 12 }).map((letters) => letters.join(''));
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((several) => several.join(' '));
const latin = fc.constantFrom(...Array.from('AVWTofailn0123456789.,-+%/() éğŠ٠١٢٣٤٥٦٧٨٩٫٬٪'));

describe.each([
  ['Arabic letters', words, 'rtl'],
  ['Latin letters and digits', fc.string({ unit: latin, minLength: 1, maxLength: 20 }), 'ltr'],
] as const)('%s', (_, texts, direction) => {
  it.each(['regular', 'bold'] as const)(
    'have the glyphs and the places that HarfBuzz gives them (%s)',
    (weight) =>
      forAll([texts], { numRuns: 300 }, (text) => {
        expect(shaped(faces[weight], text, direction)).toEqual(shapers[weight](text, direction));
      }),
  );
});

it.each(['0123456789', '٠١٢٣٤٥٦٧٨٩'])(
  'digits have one width, so that amounts are below each other: %s',
  (digits) => {
    for (const face of Object.values(faces))
      expect(new Set(Array.from(digits, (digit) => face.width(digit, 'ltr'))).size).toBe(1);
  },
);

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

function paragraph(text: string, direction: Direction): Paragraph {
  return new Paragraph(printableText(text, 2_000), faces.regular, direction);
}

/** What a reader sees, from left to right. */
function seen({ runs }: Line): string {
  return runs
    .map(({ text, direction }) => (direction === 'ltr' ? text : Array.from(text).reverse().join('')))
    .join('');
}

function seenOnOneLine(text: string, direction: Direction): string {
  return paragraph(text, direction).lines(Infinity).map(seen).join('\n');
}

describe('the order of a line', () => {
  it.each<[string, string, string]>([
    ['Arabic is written from the right', 'شركة الأفق', 'قفألا ةكرش'],
    ['numbers are not turned round', 'المبلغ 1,234.500 اليوم', 'مويلا 1,234.500 غلبملا'],
    ['Arabic digits are not turned round', 'المبلغ ١٬٢٣٤٫٥٠٠ اليوم', 'مويلا ١٬٢٣٤٫٥٠٠ غلبملا'],
    ['Latin words are not turned round', 'شركة Al-Noor Trading للتجارة', 'ةراجتلل Al-Noor Trading ةكرش'],
    ['an isolated name keeps its last dot', `${isolated('Al-Noor Co.')} للتجارة`, 'ةراجتلل Al-Noor Co.'],
    ['brackets are turned', 'شركة (الأفق) 7', '7 (قفألا) ةكرش'],
    ['brackets around Latin words are, too', 'دينار (KWD)', '(KWD) رانيد'],
    ['a lone amount has its sign on the left', '-1,234.500', '-1,234.500'],
    ['also in Arabic digits', '-١٬٢٣٤٫٥٠٠', '-١٬٢٣٤٫٥٠٠'],
    ['a date is written from the left', '2026-11-20', '2026-11-20'],
    ['an isolated amount has its sign on the left', `الصافي ${isolated('-5.000')}`, '-5.000 يفاصلا'],
    ['numbers beside a stroke are turned round', '1 / 3', '3 / 1'],
    ['isolated ones are not', isolated('1 / 3'), '1 / 3'],
  ])('right to left: %s', (_, text, order) => {
    expect(seenOnOneLine(text, 'rtl')).toBe(order);
  });

  it.each<[string, string, string]>([
    ['a name is turned, and what is beside it stays', 'Paid by شركة الأفق now', 'Paid by قفألا ةكرش now'],
    ['an amount after an Arabic name stays after it', `${isolated('شركة')} 5.000 KWD`, 'ةكرش 5.000 KWD'],
    ['what turns text round is removed', 'a\u202E123.456\u202C b', 'a123.456 b'],
    ['an open isolate ends with the text', '\u2067abc 1.000', 'abc 1.000'],
  ])('left to right: %s', (_, text, order) => {
    expect(seenOnOneLine(text, 'ltr')).toBe(order);
  });

  it('no text turns an amount round that is isolated beside it', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...Array.from('aب1 .,-()\u202E\u202D\u202B\u2067\u2069\u200F\u061Cא')),
      maxLength: 30,
    });
    forAll([hostile, hostile, fc.constantFrom<Direction>('ltr', 'rtl')], (before, after, direction) => {
      const text = `${isolated(before)} ${isolated('-1,234.500')} ${isolated(after)}`;
      expect(seenOnOneLine(text, direction)).toContain('-1,234.500');
    });
  });
});

describe('long texts', () => {
  it('are broken between words, and Arabic lines follow each other from the top', () => {
    const text = 'شركة الأفق للتجارة العامة والمقاولات';
    const lines = paragraph(text, 'rtl').lines(8);
    expect(lines.map((line) => Array.from(seen(line)).reverse().join(''))).toEqual([
      'شركة الأفق للتجارة',
      'العامة والمقاولات',
    ]);
    for (const { width } of lines) expect(width).toBeLessThanOrEqual(8);
  });

  it.each<[string, string, number, Direction, string[]]>([
    [
      'a line that begins inside Arabic words has the number after them on the left',
      'قرأنا السجلات بين 2 نوفمبر',
      7,
      'rtl',
      ['تالجسلا انأرق', 'ربمفون 2 نيب'],
    ],
    [
      'a bracket that closes on the next line is on the left there',
      'شركة الأفق (Al-Ufuq Trading) للتجارة',
      11,
      'rtl',
      ['Al-Ufuq) قفألا ةكرش', 'ةراجتلل (Trading'],
    ],
    [
      'a line that begins inside a Latin word has the Arabic after it on the right',
      'Paid by Al Noor شركة now',
      6,
      'ltr',
      ['Paid by Al', 'Noor ةكرش', 'now'],
    ],
  ])('are broken, and %s', (_, text, width, direction, lines) => {
    expect(paragraph(text, direction).lines(width).map(seen)).toEqual(lines);
  });

  it('lose and repeat no character, whatever they are', () => {
    const text = fc.string({
      unit: fc.constantFrom(...Array.from('abcWبتلاة12 .,-()\u2067\u2068\u2069\u061Cא日\u064E')),
      maxLength: 80,
    });
    const sorted = (line: string) => Array.from(line.replace(/\s/g, '')).sort().join('');
    forAll(
      [text, fc.constantFrom<Direction>('ltr', 'rtl'), fc.integer({ min: 1, max: 30 })],
      (any, direction, width) => {
        const whole = paragraph(any, direction);
        const lines = whole.lines(width);
        const brackets = (line: string) => line.replaceAll(')', '(');
        expect(sorted(brackets(lines.map(seen).join('')))).toBe(sorted(brackets(whole.text)));
        for (const line of lines) {
          expect(line.width).toBeGreaterThanOrEqual(0);
          // Letters that are joined may be a little wider than apart.
          expect(line.width).toBeLessThanOrEqual(width * 1.2 + 1.5);
        }
      },
    );
  });
});

describe('a text that is printed', () => {
  it.each([
    ['one paragraph', 'a\r\nb\n\n c\td\u2028e', 'a b c d e'],
    ['no embedded and no turned text', '\u202Eabc\u202C \u202Ad\u202B \u202De\u200E\u200F', 'abc d e'],
    ['no invisible characters', 'a\u200Bb\u00ADc\uFEFFd\u2060e\u{E0041}', 'abc de'],
    ['no characters that are none', 'a\uFFFEb\uFDD0c', 'abc'],
    ['whole characters', '\uD800a\uDC00', '\uFFFDa\uFFFD'],
    ['composed letters', 'e\u0301', '\u00E9'],
    ['blanks that break no line', '1.000\u00A0KWD\u202F2', '1.000\u00A0KWD\u00A02'],
    ['joiners between Arabic letters', 'می\u200Cخواهم a\u200Db\u200C', 'می\u200Cخواهم ab'],
    ['three marks on a letter', `x${'\u0301'.repeat(50)}`, 'x\u0301\u0301\u0301'],
    ['isolates', isolated('\u202E1.000'), '\u20681.000\u2069'],
  ])('has %s', (_, text, printed) => {
    expect(printableText(text, 100)).toBe(printed);
  });

  it('is cut to its limit, whatever it is', () => {
    expect(printableText('W'.repeat(100_000), 10)).toBe(`${'W'.repeat(9)}…`);
    forAll(
      [fc.string({ unit: ANY_CHARACTER, maxLength: 300 }), fc.integer({ min: 1, max: 80 })],
      (text, limit) => {
        const printed = printableText(text, limit);
        expect(printed.length).toBeLessThanOrEqual(limit);
        expect(printed.isWellFormed()).toBe(true);
        expect(printed).not.toMatch(/[\p{Cc}\u200B\u200E\u200F\u202A-\u202E]/u);
      },
    );
  });

  it('takes linear time', () => {
    const hostile = ['\u200D', 'e\u0301', ' \u2028', '\u202E', 'ب\u064E', '\uD800'];
    const began = process.cpuUsage();
    for (const part of hostile) printableText(part.repeat(1_000_000), 2_000);
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(10_000);
  });
});

it('the order of speech has no marks of direction', () => {
  expect(withoutDirections('a \u2068\u061C1\u2069 \u2066b\u2069')).toBe('a 1 b');
});
