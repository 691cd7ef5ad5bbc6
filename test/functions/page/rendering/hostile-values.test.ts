import { renderOpsNotice } from '#mail/notices/render-ops-notice.ts';
import { renderReport } from '#page/rendering/report/render-report.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { renderGroup } from '#page/rendering/group/render-group.ts';
import { renderStatement } from '#page/rendering/statement/render-statement.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import {
  aGroupInput,
  aGroupPage,
  aMember,
  aGroupCorrection,
  aStatement,
  aStatementInput,
  everyDay,
} from '#support/rendering/statements.ts';
import {
  longestAlert,
  longestCorrection,
  longestGroup,
  longestReport,
  longestStatement,
  longestStatementCorrection,
} from '#support/rendering/longest-mails.ts';
import { aNotice, noticeOf } from '#support/rendering/alerts.ts';
import { attachedFiles, HOSTILE_NAMES, aManifest, aReport } from '#support/rendering/reports.ts';
import { withoutBreaks } from '#support/rendering/mail-html.ts';
import { textLike, textWith, fc, forAll, ANY_CHARACTER } from '#support/assertions/index.ts';

const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE_NAMES),
  fc.string({ unit: ANY_CHARACTER, maxLength: 600 }),
  fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", '=', '\r', '\n', '\u2068', '\u202E', 'x'),
    maxLength: 60,
  }),
);

/** A report in which the value stands wherever a value from outside may stand. */
function reportWith(value: string, language: 'en' | 'ar'): RenderedMail {
  // The manifest's schema drops a member of this name, so it never gets as far as a mail.
  const status = value === '__proto__' ? 'proto' : value;
  const one = { count: 1, total: '1.000' };
  const refunds = { ...one, byStatus: Object.fromEntries([[status, one]]) };
  return renderReport(
    aReport({
      merchant: { name: value, language },
      manifest: aManifest({
        balanced: false,
        differences: [
          { what: value, service: value, rows: value },
          { what: `pagination.total of invoiceType ${value}`, service: 1, rows: 2 },
          { what: 'invoice_type of invoiceType 1', service: 2, rows: 1, ids: [value, value] },
        ],
        notCompared: [{ name: value, what: value, service: value, rows: value, ids: [value] }],
        refunds: { ...refunds, saleBasis: refunds },
      }),
      preview: true,
      attachments: attachedFiles(1, 'csv'),
    }),
  );
}

/** A statement in which the value stands wherever a value from outside may stand. */
function statementWith(value: string, language: 'en' | 'ar'): RenderedMail {
  const page = {
    breakdown: {
      byType: ['1', value].map((type) => ({ type, all: { count: 1, amount: '1.000' }, states: null })),
      byMethod: [{ method: value, count: 1, amount: '1.000' }],
      charges: null,
    },
  };
  return renderStatement(
    aStatementInput({
      merchant: { name: value, language, attachments: { paymentMethods: { [value]: value } } },
      statement: aStatement({ pages: everyDay(page) }),
      preview: true,
      attachments: attachedFiles(7, 'pdf'),
    }),
  );
}

/** A group's page in which the value stands wherever a value from outside may stand. */
function groupWith(value: string, language: 'en' | 'ar'): RenderedMail {
  const page = aGroupPage([aMember('700001', { name: value })], {
    missing: [{ merchantCode: '700002', name: value, reason: 'not-sealed' }],
    corrections: [aGroupCorrection({ name: value })],
  });
  return renderGroup(
    aGroupInput(page, {
      group: { name: 'north', language, timeZone: 'Asia/Kuwait' },
      attachments: attachedFiles(7, 'xlsx'),
    }),
  );
}

/** The elements of a page with their attributes; how words wrap, and what a label says, depends on the text and on nothing else. */
function elements(html: string): string[] {
  const page = withoutBreaks(html).replaceAll(/<span style="overflow-wrap: anywhere">(.*?)<\/span>/g, '$1');
  return (page.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag.replace(/(?:overflow-wrap|white-space): \w+|aria-label="[^"]*"/g, ''),
  );
}

const FORBIDDEN_IN_A_HEADER = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u;

function expectBounded(subject: string): void {
  expect(subject).not.toMatch(FORBIDDEN_IN_A_HEADER);
  expect(subject.length).toBeLessThanOrEqual(200);
}

it.each([
  ['report', 'en', reportWith, '20 Nov'],
  ['report', 'ar', reportWith, '20 نوفمبر'],
  ['statement', 'en', statementWith, 'Week of 15–21 Nov'],
  ['statement', 'ar', statementWith, 'الأسبوع من 15 إلى 21 نوفمبر'],
  ['group', 'en', groupWith, '20 Nov'],
  ['group', 'ar', groupWith, '20 نوفمبر'],
] as const)(
  'whatever a value holds, in a %s in %s the html has the same elements, the text the same lines, and the subject is one bounded line',
  (_, language, mailWith, period) => {
    const harmless = mailWith('Zest', language);
    forAll([hostile], { numRuns: 150 }, (value) => {
      const { html, text, subject } = mailWith(value, language);
      // A status of another name sorts and translates alike; only a known one would read differently.
      expect(elements(html)).toEqual(elements(harmless.html));
      expect(html).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u);
      const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/);
      expect(lines).toHaveLength(harmless.text.split('\n').length);
      expectBounded(subject);
      expect(subject.replaceAll('\u00A0', ' ')).toContain(period);
    });
  },
);

it('a notice to ops shows hostile values without harm, too', () => {
  const place = { stage: 'prod', bucket: 'daybook' };
  const harmless = elements(renderOpsNotice(noticeOf('x'), place).html);
  forAll([hostile], (value) => {
    const { subject, text, html } = renderOpsNotice(noticeOf(value), place);
    expectBounded(subject);
    expect(elements(html).filter((element) => !harmless.includes(element))).toEqual([]);
    expect(text.replaceAll('\n', '')).not.toMatch(FORBIDDEN_IN_A_HEADER);
  });
});

it('a notice keeps its lines', () => {
  const meaning = ['one', 'two', 'three'];
  expect(renderOpsNotice(aNotice({ meaning }), { bucket: 'daybook' })).toMatchObject({
    subject: '[Daybook] Merchant 700001, 2026-11-20: mail of a report is held',
    text: textWith('\none\ntwo\nthree\n'),
    html: textLike(/>one<\/p>\s*<p[^>]*>two<\/p>\s*<p[^>]*>three<\/p>/),
  });
});

/** What Gmail shows of a mail before it cuts. Bytes. */
const GMAIL_CUTS_AT = 102 * 1_024;

const LONGEST = [
  ['report', longestReport],
  ['correction', longestCorrection],
  ['alert', longestAlert],
  ['statement', longestStatement],
  ['correction of a statement', longestStatementCorrection],
  ['page of a group', longestGroup],
] as const;

describe.each(LANGUAGES)('the largest mails in %s', (language) => {
  const long = fc.oneof(
    fc.constantFrom(...HOSTILE_NAMES, '<'.repeat(500), '"'.repeat(500), 'م'.repeat(500)),
    fc.string({ unit: 'grapheme', maxLength: 500 }),
  );

  it.each(LONGEST)('are shown whole, whatever they hold: a %s', (_, longest) =>
    forAll([long], { numRuns: 20 }, (text) => {
      const { html, subject } = longest(language, text);
      expect(Buffer.byteLength(html)).toBeLessThan(GMAIL_CUTS_AT);
      expect(subject.length).toBeLessThanOrEqual(200);
    }),
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
