import * as fc from 'fast-check';
import { LinkifyIt } from 'linkify-it';
import { describe, expect, it } from 'vitest';
import { withLinkBreaks, withoutLinkBreaks, oneLine } from '#mail/formatters/outside-text.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { aReport } from '#support/rendering/reports.ts';
import { HOSTILE_LINKS } from '#support/rendering/hostile-links.ts';
import { ANY_CHARACTER } from '#support/fuzz/any-character.ts';
import { forAll } from '#support/assertions/for-all.ts';

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

describe.each(HOSTILE_LINKS)('a customer with the name %j', (name) => {
  const { html, text } = renderReport(aReport({ merchant: { name: `First ${name} Last` } }));
  const shown = unescaped(nameIn(html));

  it('would be a link', () => {
    expect(isLink(` ${name} `)).toBe(true);
  });

  it('is no link for a program that sees a line end in each br', () => {
    const lines = shown.replaceAll(/<br[^>]*>/gu, '\n').replaceAll(/<[^>]*>/gu, '');
    expect(lines.split('\n').filter(isLink)).toEqual([]);
  });

  it('is no link for a program that makes none inside an a', () => {
    const outside = shown.replaceAll(/<a>.*?<\/a>/gu, ' ');
    // It looks in what is shown, so it does not see the breaks.
    expect(isLink(outside.replaceAll(/<[^>]*>/gu, ''))).toBe(false);
  });

  it('has no address in the text part', () => {
    expect(finder.test(nameIn(text))).toBe(false);
  });

  it('is the same text without its elements', () => {
    const bare = shown.replaceAll(/<[^>]*>/gu, '');
    expect(bare).toBe(` ${oneLine(name)} `);
  });
});

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
