import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#rendering/texts/texts.ts';
import { longestAlert, longestCorrection, longestReport } from '#support/rendering/longest-mails.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';

/** What Gmail shows of a mail before it cuts. Bytes. */
const GMAIL_CUTS_AT = 102 * 1_024;

describe.each(LANGUAGES)('the largest mails in %s', (language) => {
  it('are shown whole, whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.constantFrom(...HOSTILE_NAMES, '<'.repeat(500), '"'.repeat(500), 'م'.repeat(500)),
          fc.string({ unit: 'grapheme', maxLength: 500 }),
        ),
        (text) => {
          for (const longest of [longestReport, longestCorrection, longestAlert]) {
            const mail = longest(language, text);
            expect(Buffer.byteLength(mail.html)).toBeLessThan(GMAIL_CUTS_AT);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('say how many more there are, in the text as well', () => {
    const { html, text } = longestReport(language, 'x');
    // Of 200 differences.
    expect(text.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(/150/);
    expect(html).toMatch(/<bdi>194<\/bdi>|<bdi>185<\/bdi>|<bdi>197<\/bdi>/);
  });

  it('leave no rule unsaid in the text', () => {
    const { text } = longestAlert(language, 'x');
    for (let rule = 0; rule < 200; rule += 1) expect(text).toMatch(new RegExp(`x-${rule}\\b`));
  });
});
