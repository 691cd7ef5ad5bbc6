import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printableText, withoutDirections } from '#page/rendering/document/paragraph.ts';
import { isolated } from '#mail/formatters/outside-text.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';

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
    fc.assert(
      fc.property(
        fc.string({ unit: ANY_CHARACTER, maxLength: 300 }),
        fc.integer({ min: 1, max: 80 }),
        (text, limit) => {
          const printed = printableText(text, limit);
          expect(printed.length).toBeLessThanOrEqual(limit);
          expect(printed.isWellFormed()).toBe(true);
          expect(printed).not.toMatch(/[\p{Cc}\u200B\u200E\u200F\u202A-\u202E]/u);
        },
      ),
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
