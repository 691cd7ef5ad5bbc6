import * as fc from 'fast-check';
import { withoutBreaks } from '#support/rendering/without-breaks.ts';
import { describe, expect, it } from 'vitest';
import { MEASURES } from '#domain/alerts/measures/index.ts';
import { renderAlert } from '#rendering/alert/render-alert.ts';
import { textsIn } from '#rendering/texts/texts.ts';
import { aLine, anAlert, LARGE_REFUND, RESOLVED, STILL_FIRING } from '#support/rendering/alerts.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';

const mixed = [RESOLVED, aLine(), STILL_FIRING, LARGE_REFUND];
const arabicMerchant = { name: 'مقهى الكويت (Kuwait Coffee)', language: 'ar' } as const;

describe('the text of', () => {
  it.each([
    ['alert-firing', [aLine()]],
    ['alert-still-firing', [STILL_FIRING]],
    ['alert-resolved', [RESOLVED]],
    ['alert-mixed', mixed],
  ])('%s is the golden text, in both languages', async (name, lines) => {
    for (const [file, input] of [
      [name, anAlert({ lines })],
      [`arabic-${name}`, anAlert({ lines, merchant: arabicMerchant })],
    ] as const) {
      const { subject, text } = renderAlert(input);
      await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${file}.txt`);
    }
  });
});

describe('the subject', () => {
  it.each([
    ['firing', [aLine()], 'firing: Kuwait Coffee · too-many-unpaid'],
    ['still firing', [STILL_FIRING], 'still firing (critical): Kuwait Coffee · report-late'],
    ['resolved', [RESOLVED], 'resolved: Kuwait Coffee · refunds-high'],
    [
      'the worst state first, and in it the worst severity',
      mixed,
      'firing (critical): Kuwait Coffee · largest-refund, too-many-unpaid · still firing (critical): report-late · resolved: refunds-high',
    ],
  ])('says %s', (_what, lines, subject) => {
    expect(renderAlert(anAlert({ lines })).subject).toBe(subject);
  });

  it('of many rules is one bounded line that still says what it is about', () => {
    const lines = Array.from({ length: 80 }, (_, index) => aLine({ rule: `rule-${index}` }));
    const { subject, text } = renderAlert(anAlert({ lines }));
    expect(subject).toMatch(/^firing: Kuwait Coffee · rule-0, .*…$/);
    expect(subject.length).toBeLessThanOrEqual(200);
    expect(text).toContain('rule-49: firing');
    expect(text).not.toContain('\nrule-50: firing\n');
    expect(text).toContain(
      'and 30 more\n-----------\n  rule-50: firing · Unpaid invoices: 1,057, above 50\n',
    );
    expect(text).toContain('rule-79: firing · ');
  });
});

describe('a figure', () => {
  const textOf = (changes: Parameters<typeof aLine>[0]) =>
    renderAlert(anAlert({ lines: [aLine(changes)] })).text;

  it.each([
    ['count', '0.000', '10.000', '0, above 10'],
    ['count', '9007199254740993.000', '100.000', '9,007,199,254,740,993, above 100'],
    ['percent', '33.333', '33.300', '33.333%, above 33.3%'],
    ['percent', '-0.050', '0.500', '-0.05%, above 0.5%'],
    ['hours', '1.000', '0.500', '1 hour, above 0.5 hours'],
    ['amount', '9007199254740993.001', '0.002', '9,007,199,254,740,993.001\u00A0KWD, above 0.002\u00A0KWD'],
  ] as const)('of a unit (%s) is printed exactly: %s', (unit, value, at, printed) => {
    expect(textOf({ unit, value, bound: { side: 'above', at } })).toContain(`Unpaid invoices: ${printed}\n`);
  });

  it('of a measure without a text is named as rules name it', () => {
    expect(textOf({ measure: 'somethingNew' })).toContain('somethingNew: 1,057, above 50');
  });

  it.each([
    [0, 'less than a minute'],
    [59_999, 'less than a minute'],
    [60_000, '1 minute'],
    [3 * 3_600_000, '3 hours'],
    [3 * 3_600_000 + 120_000, '3 hours, 2 minutes'],
    [24 * 3_600_000 + 59_000, '1 day'],
    [49 * 3_600_000 + 120_000, '2 days, 1 hour'],
    [-5_000, 'less than a minute'],
  ])('that lasted %i milliseconds lasted in words', (lasted, words) => {
    const since = '2026-11-01T00:00:00.000Z';
    const until = new Date(Date.parse(since) + lasted).toISOString();
    expect(textOf({ says: 'resolved', since, until })).toContain(`Lasted: ${words}\n`);
  });
});

it('every measure has its text', () => {
  for (const { name } of MEASURES) expect(textsIn('en').has(`alerts.measures.${name}`)).toBe(true);
});

describe.each(['en', 'ar'] as const)('whatever a value holds, in %s', (language) => {
  const alertWith = (value: string) =>
    renderAlert(
      anAlert({
        merchant: { name: value, language },
        check: value,
        lines: [aLine({ rule: value, measure: value, value })],
      }),
    );
  const elements = (html: string) =>
    (withoutBreaks(html).match(/<[^>]*>/g) ?? []).map((tag) =>
      tag.replace(/(?:overflow-wrap|white-space): \w+|aria-label="[^"]*"/g, ''),
    );
  const harmless = alertWith('Zest');

  it('the mail has the same elements, the same lines and a bounded subject', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...HOSTILE_NAMES), fc.string({ unit: 'binary', maxLength: 300 })),
        (value) => {
          const { subject, text, html } = alertWith(value);
          expect(elements(html)).toEqual(elements(harmless.html));
          expect(html).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u);
          const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/);
          expect(lines).toHaveLength(harmless.text.split('\n').length);
          expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u);
          expect(subject.length).toBeLessThanOrEqual(200);
        },
      ),
      { numRuns: 150 },
    );
  });
});

it('renders the same input to the same mail', () => {
  const input = anAlert({ lines: mixed });
  expect(renderAlert(structuredClone(input))).toEqual(renderAlert(input));
});
