import { withoutBreaks } from '#support/rendering/mail-html.ts';
import { alertLineSchema, type AlertLine } from '#records/ledger/alert-line.ts';
import { MEASURES } from '#registry/alert-rules.ts';
import { renderAlert } from '#alerts/rendering/render-alert.ts';
import type { RenderedMail } from '#mail/template/mail-layout.ts';
import { textsIn } from '#mail/texts/texts.ts';
import {
  aLine,
  anAlert,
  anItem,
  LARGE_REFUND,
  RESOLVED,
  STILL_FIRING,
  WORDED,
} from '#support/rendering/alerts.ts';
import { HOSTILE_NAMES } from '#support/rendering/reports.ts';
import { ANY_CHARACTER, fc, forAll } from '#support/assertions/index.ts';

const mixed = [RESOLVED, aLine(), STILL_FIRING, LARGE_REFUND];
const arabicMerchant = { name: 'مقهى الكويت (Kuwait Coffee)', language: 'ar' } as const;

function withLine(changes: Partial<AlertLine>, language: 'en' | 'ar' = 'en'): RenderedMail {
  return renderAlert(anAlert({ merchant: { language }, lines: [aLine(changes)] }));
}

const withoutMarks = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');
const preheaderOf = ({ html }: RenderedMail) =>
  /<div style="display:none[^>]*>([^<]*)</.exec(html)?.[1]?.trim() ?? '';

it.each([
  ['alert-firing', [aLine()]],
  ['alert-worded', [WORDED]],
  ['alert-still-firing', [STILL_FIRING]],
  ['alert-resolved', [RESOLVED]],
  ['alert-mixed', mixed],
])('the text of %s is the golden text, in both languages', async (name, lines) => {
  for (const [file, input] of [
    [name, anAlert({ lines })],
    [`arabic-${name}`, anAlert({ lines, merchant: arabicMerchant, replyTo: 'help@example.com' })],
  ] as const) {
    const { subject, text } = renderAlert(input);
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${file}.txt`);
  }
});

it('the subject of many rules is one bounded line that still says what it is about', () => {
  const lines = Array.from({ length: 80 }, (_, index) => aLine({ title: `Title ${index}` }));
  const { subject, text } = renderAlert(anAlert({ lines }));
  expect(subject).toBe('80 alerts · Title 0 · Kuwait Coffee');
  expect(text).toContain('\nAlert\n-----\n  Title 49\n');
  expect(text).toContain('\nand 30 more\n-----------\n  Alert: Title 50\n');
  expect(text).toContain('  Alert: Title 79\n');
});

describe('a mail', () => {
  it.each(['en', 'ar'] as const)('shows no rule’s name, measure or check, in %s', (language) => {
    for (const lines of [[aLine()], [WORDED], mixed]) {
      const { subject, text, html } = renderAlert(anAlert({ merchant: { language }, lines }));
      for (const shown of [subject, text, html]) {
        expect(shown).not.toMatch(/too-many-unpaid|report-late|refunds-high|unpaidCount|T103000Z|firing/);
      }
      expect(withoutMarks(text)).toMatch(/700001 · 2026-11-20 · 10:30:00 UTC\n$/);
    }
  });

  it.each(['en', 'ar'] as const)(
    'has a preheader that says something else than the subject, in %s',
    (language) => {
      for (const lines of [[aLine()], [WORDED], [STILL_FIRING], [RESOLVED], mixed]) {
        const mail = renderAlert(anAlert({ merchant: { language }, lines }));
        const [, headline = ''] = mail.subject.split(' · ');
        expect(preheaderOf(mail)).not.toBe('');
        expect(preheaderOf(mail)).not.toContain(headline);
      }
    },
  );

  it('says by a word and a colour what the state is', () => {
    const marked = (changes: Partial<AlertLine>) =>
      /<div class="box (\w+)"[^>]*>([^<]*)</.exec(withLine(changes).html)?.slice(1);
    expect(marked({})).toEqual(['bad', 'Alert']);
    expect(marked({ severity: 'critical' })).toEqual(['bad', 'Alert (urgent)']);
    expect(marked({ says: 'still firing' })).toEqual(['bad', 'Still above the limit']);
    const below = { side: 'below', at: '5.000' } as const;
    expect(marked({ says: 'still firing', bound: below })).toEqual(['bad', 'Still below the limit']);
    expect(marked({ ...RESOLVED, severity: 'critical' })).toEqual(['good', 'Back to normal']);
  });

  it('says whom to ask for another limit', () => {
    const asked = (replyTo: string | null) => renderAlert(anAlert({ replyTo })).text;
    expect(asked('help@example.com')).toContain('reply to this mail or write to help@example.com.');
    expect(asked(null)).toContain('To change this limit or to stop this alert, ask your provider.');
  });

  it('shows what the figure was, its worst and the value now, and leaves out what is not known', () => {
    const course = { began: '60.000', worst: '75.000' };
    const later = { says: 'still firing', since: '2026-11-20T07:30:00.000Z', value: '70.000' } as const;
    const { text } = withLine({ ...later, course });
    expect(text).toContain('At the beginning: 60\nHighest so far: 75\nNow: 70\n');
    expect(withLine(later).text).not.toMatch(/At the beginning|Highest/);
    const below = { ...later, bound: { side: 'below', at: '90.000' }, course } as const;
    expect(withLine(below).text).toContain('Lowest so far: 75');
    const begun = withLine({ value: '60.000', course: { began: '60.000', worst: '60.000' } });
    expect(begun.text).not.toContain('Highest');
  });

  it('names the invoices to look at, and how many of them there are', () => {
    const { text } = renderAlert(anAlert({ lines: [WORDED] }));
    expect(text).toContain('Unpaid invoices to look at\n');
    expect(text).toContain('  INV-20481: 145.000\u00A0KWD\n    Invoice 1096112, expires 22 Nov 2026\n');
    expect(text).toContain('  Invoice 1096140: 98.750\u00A0KWD\n');
    expect(text).toContain('These are 5 of 16.');
    const refund = { ...LARGE_REFUND, items: [anItem({ id: '1400', expiresOn: null })] };
    expect(renderAlert(anAlert({ lines: [refund] })).text).toContain('    Refund 1400\n');
    const unnamed = { ...refund, items: [anItem({ id: '1400', reference: null, expiresOn: null })] };
    expect(renderAlert(anAlert({ lines: [unnamed] })).text).toContain(
      '  Refund 1400: 145.000\u00A0KWD\n    20 Nov 2026\n',
    );
  });

  it('says the day of its figures when that is not the day of the check', () => {
    const { subject } = renderAlert(anAlert({ lines: [aLine({ day: '2026-11-19' })] }));
    expect(subject).toContain('1,057 unpaid invoices on Thursday, 19 November 2026, your limit');
  });
});

const HALF = { side: 'above', at: '50.000' } as const;
const [LARGE, SHOWN] = ['9007199254740993', '9,007,199,254,740,993'];
const REPORT = 'The last report is';

describe('the sentence', () => {
  it.each([
    ['invoiceCount count 0.000 below 1.000', '0 invoices today, you expect at least 1'],
    ['unpaidCount count 1.000 above 0.000', '1 unpaid invoice today, your limit is 0'],
    [`unpaidCount count ${LARGE}.000 above 100.000`, `${SHOWN} unpaid invoices today, your limit is 100`],
    [
      'unpaidShare percent 33.333 above 33.300',
      '33.333% of the invoices are unpaid today, your limit is 33.3%',
    ],
    [
      'refundShare percent -0.050 above 0.500',
      'Refunds are -0.05% of the paid amount today, your limit is 0.5%',
    ],
    [`reportAge hours 1.000 above 0.500`, `${REPORT} 1 hour old, your limit is 30 minutes`],
    [`reportAge hours 30.001 above 30.000`, `${REPORT} 30 hours and 1 minute old, your limit is 30 hours`],
    [`reportAge hours 0.000 above 30.000`, `${REPORT} less than a minute old, your limit is 30 hours`],
    [
      `unpaidAmount amount ${LARGE}.001 above 0.002`,
      `${SHOWN}.001\u00A0KWD unpaid today, your limit is 0.002\u00A0KWD`,
    ],
    ['somethingNew count 7.000 above 5.000', 'The figure is 7, your limit is 5'],
  ])('of %s is exact', (figure, sentence) => {
    const [measure, unit, value, side, at] = figure.split(' ');
    const line = alertLineSchema.parse({ ...aLine(), measure, unit, value, bound: { side, at } });
    expect(withLine(line).text).toContain(`${sentence}\n`);
  });

  it.each([
    [null, 'soon'],
    [0, 'today'],
    [1, 'within 1 day'],
    [3, 'within 3 days'],
  ])('of invoices about to expire says when: %j days ahead', (days, when) => {
    const line = { measure: 'expiringUnpaid', value: '2.000', days };
    expect(withLine(line).subject).toMatch(`2 unpaid invoices expire ${when}, your limit is 50`);
  });

  it.each([
    [1, 'فاتورة واحدة غير مدفوعة اليوم'],
    [2, 'فاتورتان غير مدفوعتين اليوم'],
    [3, '3 فواتير غير مدفوعة اليوم'],
    [16, '16 فاتورة غير مدفوعة اليوم'],
    [100, '100 فاتورة غير مدفوعة اليوم'],
  ])('has the Arabic plural form of %i', (count, figure) => {
    const { subject } = withLine({ value: `${count}.000` }, 'ar');
    expect(withoutMarks(subject)).toContain(`${figure}، والحد المحدد 50`);
  });

  const paid = '12.500 KWD paid today, 41% of what the last 4 Fridays had by 14:00 on average';
  const cameIn = '12.500 KWD came in today, 41% of what the last 2 Fridays had on average';
  const paidInArabic =
    'المدفوع اليوم 12.500 د.ك، وهو 41% من متوسط أيام الجمعة السابقة (عددها 4) حتى الساعة 14:00';
  const cameInInArabic = 'المحصَّل اليوم 12.500 د.ك، وهو 41% من متوسط أيام الجمعة السابقة (عددها 2)';

  it.each([
    ['14:00', 4, 'en', `${paid}, your limit is 50%`],
    [null, 2, 'en', `${cameIn}, your limit is 50%`],
    ['14:00', 4, 'ar', paidInArabic],
    [null, 2, 'ar', cameInInArabic],
  ] as const)('names the day and the usual, by %s of %i days in %s', (by, days, language, sentence) => {
    const amounts = { amount: '12.500', average: '30.488', currency: 'KWD' };
    const usual = { day: '2026-11-20', ...amounts, days, by };
    const line = { measure: 'shareOfUsualDay', unit: 'percent', value: '41.000', bound: HALF } as const;
    const { text } = withLine({ ...line, usual }, language);
    expect(withoutMarks(text).replaceAll('\u00A0', ' ')).toContain(sentence);
  });

  it('is there for every measure, in words', () => {
    for (const { name, unit } of MEASURES) {
      expect(textsIn('en').has(`alerts.figure.${name}`)).toBe(true);
      expect(withLine({ measure: name, unit }).subject).not.toContain('The figure is');
    }
  });
});

describe('the times', () => {
  it.each([
    ['2026-11-01T00:00:00.000Z', '2026-11-01T00:00:59.999Z', null],
    ['2026-11-01T00:00:59.000Z', '2026-11-01T00:01:00.000Z', '1 minute'],
    ['2026-11-01T00:00:00.000Z', '2026-11-01T03:02:30.000Z', '3 hours and 2 minutes'],
    ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z', '1 day'],
    ['2026-11-01T00:25:00.000Z', '2026-11-03T03:30:00.000Z', '2 days, 3 hours and 5 minutes'],
  ])('from %s until %s lasted what the reader computes: %s', (since, until, lasted) => {
    const { text } = withLine({ ...RESOLVED, since, until });
    if (lasted === null) expect(text).not.toMatch(/Until|Lasted/);
    else expect(text).toContain(`  Lasted: ${lasted}\n`);
  });

  it('agree with the duration, whatever they are', () => {
    const start = Date.parse('2026-11-01T00:00:00Z');
    forAll([fc.nat(3_000_000_000), fc.nat(600_000_000)], { numRuns: 200 }, (from, lasted) => {
      const [since, until] = [start + from, start + from + lasted].map((at) => new Date(at).toISOString());
      const mail = withLine({ ...RESOLVED, since: since ?? '', until: until ?? '' });
      const text = mail.text.replaceAll('\u00A0', ' ');
      const shown = [...text.matchAll(/(?:From|Until): (\d+ \w+ \d{4}) at (\d\d:\d\d)/g)];
      const minutes = shown.map(([, day, time]) => Date.parse(`${day} ${time} UTC`) / 60_000);
      if (minutes.length === 1) return;
      const words = /Lasted: (.*)\n/.exec(text)?.[1] ?? '';
      const of = (unit: string) => Number(new RegExp(`(\\d+) ${unit}`).exec(words)?.[1] ?? 0);
      const told = of('day') * 1_440 + of('hour') * 60 + of('minute');
      expect(told).toBe((minutes[1] ?? 0) - (minutes[0] ?? 0));
    });
  });
});

describe.each(['en', 'ar'] as const)('whatever a value holds, in %s', (language) => {
  const alertWith = (value: string) =>
    renderAlert(
      anAlert({
        merchant: { name: value, language },
        lines: [
          aLine({ rule: value, measure: value, value, title: `t${value}`, note: `n${value}` }),
          aLine({ title: `t${value}`, items: [anItem({ id: value, reference: `r${value}` })] }),
        ],
      }),
    );
  const elements = (html: string) =>
    (withoutBreaks(html).match(/<[^>]*>/g) ?? []).map((tag) =>
      tag.replace(/(?:overflow-wrap|white-space): \w+|aria-label="[^"]*"/g, ''),
    );
  const harmless = alertWith('Zest');

  it('the mail has the same elements, the same lines and a bounded subject', () =>
    forAll(
      [fc.oneof(fc.constantFrom(...HOSTILE_NAMES), fc.string({ unit: ANY_CHARACTER, maxLength: 300 }))],
      { numRuns: 150 },
      (value) => {
        const { subject, text, html } = alertWith(value);
        expect(elements(html)).toEqual(elements(harmless.html));
        expect(html).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u);
        const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/);
        expect(lines).toHaveLength(harmless.text.split('\n').length);
        expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u);
        expect(subject.length).toBeLessThanOrEqual(200);
      },
    ));

  it('a title that nobody can see is replaced by the sentence', () => {
    const title = '\u200B\u2060';
    expect(withLine({ title, note: title }, language).subject).toBe(withLine({}, language).subject);
  });
});
