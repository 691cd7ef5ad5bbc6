import * as fc from 'fast-check';
import { LinkifyIt } from 'linkify-it';
import { describe, expect, it } from 'vitest';
import {
  bounded,
  escapeHtml,
  oneLine,
  withLinkBreaks,
  withoutLinkBreaks,
} from '#mail/formatters/outside-text.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { aReport } from '#support/rendering/reports.ts';
import { HOSTILE_LINKS } from '#support/rendering/hostile-links.ts';
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

/** Finds links more readily than mail programs do: any two letters after a dot are a domain, and IPs count. */
const finder = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true }).tlds(
  ['com', 'net', 'org', 'shop', 'kw', 'рф', 'كويت', 'zip', 'co', 'uk'],
  true,
);
const PHONE_NUMBER = /\p{Nd}(?:[^\p{L}\p{Nd}\n]{0,3}\p{Nd}){6,}/u;

function isLink(text: string): boolean {
  return finder.test(text) || PHONE_NUMBER.test(text);
}

/** What stands for the name in a part of the mail. A title and a preheader have no elements; they are no body text. */
function nameIn(part: string): string {
  const names = [...part.matchAll(/First( .*? )Last/gsu)].map(([, name]) => name ?? '');
  return names.at(-1) ?? '';
}

function unescaped(html: string): string {
  return html.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

it.each(HOSTILE_LINKS)(
  'a customer with the name %j is no link for any program, and reads the same',
  (name) => {
    expect(isLink(` ${name} `)).toBe(true);
    const { html, text } = renderReport(aReport({ merchant: { name: `First ${name} Last` } }));
    const shown = unescaped(nameIn(html));
    const withoutElements = (part: string) => part.replaceAll(/<[^>]*>/gu, '');
    // For a program that sees a line end in each br.
    const lines = withoutElements(shown.replaceAll(/<br[^>]*>/gu, '\n')).split('\n');
    expect(lines.filter(isLink)).toEqual([]);
    // For one that makes no link inside an a. It looks in what is shown, so it does not see the breaks.
    expect(isLink(withoutElements(shown.replaceAll(/<a>.*?<\/a>/gu, ' ')))).toBe(false);
    expect(finder.test(nameIn(text))).toBe(false);
    expect(withoutElements(shown)).toBe(` ${oneLine(name)} `);
  },
);

describe('link breaks', () => {
  it.each(['9,842.750 KWD', '14:05', '3.5 %', 'Cafe No. 7', 'A & B (Salmiya)', '20 November 2026'])(
    'leave %j as it is',
    (text) => {
      expect(withLinkBreaks(text)).toBe(text);
    },
  );

  it('change no character of any text', () =>
    forAll([fc.string({ unit: ANY_CHARACTER, maxLength: 300 })], (value) => {
      const line = oneLine(value);
      expect(withoutLinkBreaks(withLinkBreaks(line))).toBe(line);
    }));

  it('cannot be brought in from outside', () => {
    expect(oneLine('a\uFDD0b\uFDD1c')).toBe('abc');
  });
});
