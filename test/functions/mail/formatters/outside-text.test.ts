import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bounded, escapeHtml, oneLine } from '#mail/formatters/outside-text.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';
import { forAll } from '#support/assertions/for-all.ts';

describe('oneLine', () => {
  it.each([
    ['a\r\nb\n\n c\td', 'a b c d'],
    ['\u202Eabc\u202C\u200E\u061C', 'abc'],
    ['  padded\u00a0 ', 'padded'],
    ['👩‍👩‍👧 مطعم', '👩‍👩‍👧 مطعم'],
    ['\uD83Cx', '\uFFFDx'],
  ])('%j is %j', (text, line) => {
    expect(oneLine(text)).toBe(line);
  });

  it('keeps to its limit without cutting a character in two', () => {
    expect(bounded('🍕🍕🍕', 4)).toBe('🍕…');
    expect(oneLine(`${'a'.repeat(9)}🍕`, 10)).toBe(`${'a'.repeat(9)}…`);
    expect(oneLine('a'.repeat(100_000))).toHaveLength(500);
    forAll(
      [fc.string({ unit: ANY_CHARACTER, maxLength: 300 }), fc.integer({ min: 1, max: 80 })],
      (text, limit) => {
        const line = oneLine(text, limit);
        expect(line.length).toBeLessThanOrEqual(limit);
        expect(line.isWellFormed()).toBe(true);
      },
    );
  });
});

it('escapeHtml leaves nothing that could begin an element, an entity or end an attribute', () => {
  expect(escapeHtml(`<a href="x" b='y'>&amp;`)).toBe('&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;');
});
