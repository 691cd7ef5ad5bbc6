import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '#mail/texts/texts.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { longestAlert, longestCorrection, longestReport } from '#support/rendering/longest-mails.ts';
import {
  longestGroup,
  longestStatement,
  longestStatementCorrection,
} from '#support/rendering/longest-statements.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { fc, forAll } from '#support/assertions/for-all.ts';

/** What Gmail shows of a mail before it cuts. Bytes. */
const GMAIL_CUTS_AT = 102 * 1_024;

const LONGEST: [string, (language: Language, text: string) => RenderedMail][] = [
  ['report', longestReport],
  ['correction', longestCorrection],
  ['alert', longestAlert],
  ['statement', longestStatement],
  ['correction of a statement', longestStatementCorrection],
  ['page of a group', longestGroup],
];

describe.each(LANGUAGES)('the largest mails in %s', (language) => {
  it.each(LONGEST)('are shown whole, whatever they hold: a %s', (_, longest) =>
    forAll(
      [
        fc.oneof(
          fc.constantFrom(...HOSTILE_NAMES, '<'.repeat(500), '"'.repeat(500), 'م'.repeat(500)),
          fc.string({ unit: 'grapheme', maxLength: 500 }),
        ),
      ],
      { numRuns: 20 },
      (text) => {
        expect(Buffer.byteLength(longest(language, text).html)).toBeLessThan(GMAIL_CUTS_AT);
      },
    ),
  );

  it('say how many more there are, in the text as well', () => {
    const { html, text } = longestReport(language, 'x');
    // Of 200 differences.
    expect(text.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(/150/);
    expect(html).toMatch(/<bdi>(?:150|185|194|197|198)<\/bdi>/);
  });

  it('of a group of 20,000 say how many more merchants there are, and show some', () => {
    const { html, text } = longestGroup(language, 'x', 20_000);
    expect(text.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(/19,800/);
    expect(Buffer.byteLength(html)).toBeLessThan(GMAIL_CUTS_AT);
    expect(html.match(/<tr class="w400"/g)?.length).toBeGreaterThanOrEqual(10);
  });

  it('of a statement keep every seven days', () => {
    const { html } = longestStatement(language, '<'.repeat(500));
    for (const day of [1, 8, 15, 22, 29])
      expect(html).toMatch(new RegExp(`<bdi>(?:من\\s)?${day}(?:–|\\sإلى\\s)`));
  });

  it('leave no rule unsaid in the text', () => {
    const { text } = longestAlert(language, 'x');
    for (let rule = 0; rule < 200; rule += 1) expect(text).toMatch(new RegExp(`x-${rule}\\b`));
  });
});
