import {
  dayLine,
  dayOfTrend,
  listedDays,
  longDay,
  moment,
  periodInSubject,
  periodLine,
  periodName,
  shortDay,
  timeOfDay,
  weekday,
  zoneName,
} from '#mail/formatters/day-formatter.ts';
import {
  withoutIsolates,
  bounded,
  escapeHtml,
  oneLine,
  withLinkBreaks,
  withoutLinkBreaks,
} from '#mail/formatters/outside-text.ts';
import { textsIn, LANGUAGES } from '#mail/texts/texts.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { addDays } from '#records/day/business-day.ts';
import { formatAmount } from '#records/money/money.ts';
import { fc, forAll, ANY_CHARACTER } from '#support/assertions/index.ts';
import { LinkifyIt } from 'linkify-it';
import { renderReport } from '#page/rendering/report/render-report.ts';
import { aReport } from '#support/rendering/reports.ts';
import { HOSTILE_LINKS } from '#support/rendering/mail-html.ts';

const DAY = '2026-11-20';
const INSTANT = '2026-11-21T03:04:07.480Z';
const englishTexts = textsIn('en');
const arabicTexts = textsIn('ar');

/** `~` is a no-break space. */
const shown = (text: string) => withoutIsolates(text).replaceAll('\u00A0', '~');
const blanks = (text: string) => shown(text).replaceAll('~', ' ');

describe('a date', () => {
  const inNewYork = moment('2026-01-01T00:30:00Z', 'America/New_York', englishTexts);
  const atMidnight = moment('2026-07-01T21:00:00Z', 'Asia/Kuwait', englishTexts);
  it.each([
    ['long', longDay(DAY, englishTexts), 'Friday, 20~November~2026'],
    ['long', longDay(DAY, arabicTexts), 'الجمعة، 20~نوفمبر~2026'],
    ['on a line', dayLine(DAY, englishTexts), 'Friday, 20~November~2026'],
    ['on a line', dayLine(DAY, arabicTexts), 'يوم~الجمعة 20~نوفمبر~2026'],
    ['short', shortDay(DAY, englishTexts), '20~Nov~2026'],
    ['short', shortDay(DAY, arabicTexts), '20~نوفمبر~2026'],
    ['of the trend', dayOfTrend(DAY, englishTexts), 'Fri~20'],
    ['of the trend', dayOfTrend(DAY, arabicTexts), 'الجمعة~20'],
    ['as a weekday', weekday(DAY, englishTexts), 'Friday'],
    ['as a weekday', weekday(DAY, arabicTexts), 'الجمعة'],
    ['as a time', timeOfDay(INSTANT, 'Asia/Kuwait', englishTexts), '06:04'],
    ['as a moment', moment(INSTANT, 'Asia/Kuwait', englishTexts), '21~November~2026 at~06:04 (Kuwait~time)'],
    [
      'as a moment',
      moment(INSTANT, 'Asia/Kuwait', arabicTexts),
      '21~نوفمبر~2026، الساعة~06:04 (بتوقيت~الكويت)',
    ],
    // The evening before, in the zone.
    ['as a moment', inNewYork, '31~December~2025 at~19:30 (New~York~time)'],
    ['as a moment', atMidnight, '2~July~2026 at~00:00 (Kuwait~time)'],
  ])('%s is %s: %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('has a name for every month and every weekday in every language', () => {
    for (const texts of [englishTexts, arabicTexts]) {
      const days = Array.from({ length: 366 }, (_, index) => addDays('2028-01-01', index));
      for (const write of [longDay, dayLine, shortDay, dayOfTrend]) {
        const written = days.map((day) => shown(write(day, texts)));
        for (const text of written) expect(text).not.toMatch(/[{}]|~~|~$|^[~ ]|، ,|^,/);
      }
      expect(new Set(days.map((day) => longDay(day, texts))).size).toBe(366);
    }
  });
});

it.each([
  ['Asia/Kuwait', 'Kuwait time', 'بتوقيت الكويت'],
  ['Asia/Riyadh', 'Riyadh time', 'بتوقيت الرياض'],
  ['America/New_York', 'New York time', 'بتوقيت نيويورك'],
  // No text of ours: the city of the id.
  ['America/Argentina/Buenos_Aires', 'Buenos Aires time', 'بتوقيت Buenos Aires'],
  ['Africa/Nairobi', 'Nairobi time', 'بتوقيت Nairobi'],
  ['UTC', 'UTC', 'بالتوقيت العالمي المنسق'],
  ['Etc/UTC', 'UTC', 'بالتوقيت العالمي المنسق'],
  ['Etc/GMT-3', 'UTC+03:00', 'بتوقيت UTC+03:00'],
  ['Etc/GMT+11', 'UTC-11:00', 'بتوقيت UTC-11:00'],
  ['+05:30', 'UTC+05:30', 'بتوقيت UTC+05:30'],
])('a time zone %s is named %s', (zone, inEnglish, inArabic) => {
  expect(withoutIsolates(zoneName(zone, englishTexts))).toBe(inEnglish);
  expect(withoutIsolates(zoneName(zone, arabicTexts))).toBe(inArabic);
});

const MONTH = { period: '2026-11', from: '2026-11-01', to: '2026-11-30' };
const WEEK = { period: '2026-W47', from: '2026-11-15', to: '2026-11-21' };
const OF_TWO_MONTHS = { period: '2026-W49', from: '2026-11-29', to: '2026-12-05' };
const OF_TWO_YEARS = { period: '2026-W53', from: '2026-12-27', to: '2027-01-02' };
const ONE_DAY = { period: '2026-11-20', from: '2026-11-20', to: '2026-11-20' };

describe('a period', () => {
  it.each([
    ['en', MONTH, 'November 2026'],
    ['en', WEEK, 'Week of 15–21 November 2026 (2026-W47)'],
    ['en', OF_TWO_MONTHS, 'Week of 29 November – 5 December 2026 (2026-W49)'],
    ['en', OF_TWO_YEARS, 'Week of 27 December 2026 – 2 January 2027 (2026-W53)'],
    ['en', ONE_DAY, 'Friday, 20 November 2026'],
    ['ar', MONTH, 'نوفمبر 2026'],
    ['ar', WEEK, 'الأسبوع من 15 إلى 21 نوفمبر 2026 (2026-W47)'],
    ['ar', OF_TWO_MONTHS, 'الأسبوع من 29 نوفمبر إلى 5 ديسمبر 2026 (2026-W49)'],
    ['ar', OF_TWO_YEARS, 'الأسبوع من 27 ديسمبر 2026 إلى 2 يناير 2027 (2026-W53)'],
    ['ar', ONE_DAY, 'يوم الجمعة 20 نوفمبر 2026'],
  ] as const)('has a line of its own in %s: %o', (language, period, line) => {
    expect(blanks(periodLine(period, textsIn(language)))).toBe(line);
  });

  it.each([
    [MONTH, '2026-12-01', 'November 2026'],
    [WEEK, '2026-11-22', 'Week of 15–21 Nov'],
    [WEEK, '2027-01-05', 'Week of 15–21 Nov 2026'],
    [OF_TWO_MONTHS, '2026-12-06', 'Week of 29 Nov – 5 Dec'],
    [OF_TWO_YEARS, '2027-01-03', 'Week of 27 Dec – 2 Jan'],
    [ONE_DAY, '2026-11-21', '20 Nov'],
    [ONE_DAY, '2027-01-05', '20 Nov 2026'],
  ])('is short in a subject: %o of a mail of %s', (period, mailed, line) => {
    expect(blanks(periodInSubject(period, mailed, textsIn('en')))).toBe(line);
  });

  it.each([
    [MONTH, 'November 2026'],
    [WEEK, '15–21 Nov 2026'],
    [ONE_DAY, '20 Nov 2026'],
  ])('is a name in a sentence: %o', (period, name) => {
    expect(blanks(periodName(period, textsIn('en')))).toBe(name);
  });
});

it.each([
  [[], ''],
  [['2026-11-14'], '14 Nov'],
  [['2026-11-14', '2026-11-20', '2026-11-21', '2026-11-22'], '14 Nov, 20–22 Nov'],
  [['2026-11-30', '2026-12-01', '2026-12-03'], '30 Nov – 1 Dec, 3 Dec'],
])('days that follow each other are one: %j', (days, listed) => {
  expect(blanks(listedDays(days, textsIn('en')))).toBe(listed);
});

const words = (currency = 'KWD', language: (typeof LANGUAGES)[number] = 'en') =>
  new FigureFormatter(textsIn(language), currency, { list: 50, rows: 200, text: 500 });

describe('an amount', () => {
  it.each([
    ['KWD', '0.000', '0.000 KWD'],
    ['KWD', '999.999', '999.999 KWD'],
    ['KWD', '-1234567.500', '-1,234,567.500 KWD'],
    ['KWD', '123456789012345678901234567890.123', '123,456,789,012,345,678,901,234,567,890.123 KWD'],
    ['USD', '12.500', '12.50 USD'],
    ['USD', '1234.000', '1,234.00 USD'],
    // A digit that the currency does not have is a figure all the same.
    ['USD', '12.505', '12.505 USD'],
    ['JPY', '1500.000', '1,500 JPY'],
    ['JPY', '1500.500', '1,500.500 JPY'],
    ['KWD', 'no\namount', 'no amount KWD'],
  ])('in %s of %s is %s', (currency, amount, text) => {
    expect(blanks(words(currency).amount(amount))).toBe(text);
    const number = text.slice(0, -4);
    expect(blanks(words(currency, 'ar').amount(amount)).slice(0, number.length + 1)).toBe(`${number} `);
  });

  it('loses no digit, whatever the language and the currency', () =>
    forAll(
      [
        fc.bigInt({ min: -(10n ** 32n), max: 10n ** 32n }),
        fc.constantFrom('KWD', 'USD', 'JPY', 'XYZ'),
        fc.constantFrom(...LANGUAGES),
      ],
      (thousandths, currency, language) => {
        const text = blanks(words(currency, language).amount(formatAmount(thousandths)));
        const [number = ''] = text.replaceAll(',', '').split(' ');
        const [whole = '', fraction = ''] = number.split('.');
        expect(`${whole}.${fraction.padEnd(3, '0')}`).toBe(formatAmount(thousandths));
      },
    ));

  it.each([
    ['KWD', '1234.500', '\u2068\u20681,234.500\u2069\u00A0د.ك\u2069'],
    ['SAR', '-1.500', '\u2068\u2068-1.50\u2069\u00A0ر.س\u2069'],
    ['USD', '1.000', '\u2068\u20681.00\u2069\u00A0دولار\u00A0أمريكي\u2069'],
    // A currency without a text of ours keeps its code.
    ['XYZ', '1.000', '\u20681.00\u00A0XYZ\u2069'],
  ])('in %s in Arabic has the currency’s sign or name: %s', (currency, amount, text) => {
    expect(words(currency, 'ar').amount(amount)).toBe(text);
  });

  it('that is unknown is not zero', () => {
    expect(words().amount(null)).toBe('unknown');
  });
});

it.each([
  [null, 'unknown'],
  [0, '0'],
  [-1200, '-1,200'],
  [9_007_199_254_740_991, '9,007,199,254,740,991'],
])('a count of %s is %s', (count, text) => {
  expect(blanks(words().count(count))).toBe(text);
});

it.each([
  [0n, '0'],
  [120n, '+12'],
  [-35n, '-3.5'],
  [5n, '+0.5'],
  [-12_345_670n, '-1,234,567'],
])('a difference of %s tenths is %s', (tenths, text) => {
  expect(blanks(words().countDifference(tenths))).toBe(text);
});

it('a type without a name is told by its number, which cannot be taken for a name', () => {
  expect(words().invoiceType('7')).toBe('Instalment');
  expect(blanks(words().invoiceType('12'))).toBe('Type 12');
  expect(blanks(words().invoiceType('other'))).toBe('Type other');
});

const arabic = words('KWD', 'ar');

it.each([
  ['a percentage', arabic.percent('12.500'), '12.5%'],
  ['a count in a sentence', arabic.texts.say('moreLines', { count: 12 }), 'و12 سطرًا آخر'],
  ['an id', arabic.texts.say('invoice', { id: arabic.outside('1400') }), 'الفاتورة 1400'],
  ['a type', arabic.invoiceType('12'), 'النوع 12'],
])('in Arabic %s is %s: %s', (_, text, expected) => {
  expect(blanks(text)).toBe(expected);
});

describe('a figure of a table', () => {
  it('has no currency, but its decimals', () => {
    expect(blanks(words('KWD').bareAmount('1234.500'))).toBe('1,234.500');
    expect(blanks(words('USD').bareAmount('-1234.500', true))).toBe('-1,234.50');
    expect(blanks(words('USD').bareAmount('2.505', true))).toBe('+2.505');
    expect(words('KWD').bareAmount(null)).toBe('unknown');
    expect(blanks(words('KWD', 'ar').currency)).toBe('د.ك');
  });

  it.each([
    [35n, '+3.5%'],
    [-40n, '-4%'],
    [0n, '0%'],
    [10_000n, '+1,000%'],
  ])('says %i tenths of a percent with a sign: %s', (tenths, text) => {
    expect(blanks(words().percentDifference(tenths))).toBe(text);
  });
});

describe('a payment method', () => {
  it.each([
    ['Credit Card', 'Credit card'],
    ['KNET', 'KNET'],
    ['something else', 'something else'],
    ['__proto__', '__proto__'],
  ])('%s has our name or its own: %s', (method, name) => {
    expect(blanks(words().paymentMethod(method))).toBe(name);
  });

  it('of a stranger is cut', () => {
    expect(words().paymentMethod('x'.repeat(5_000)).length).toBeLessThan(600);
  });
});

const TEXT = fc.string({ unit: ANY_CHARACTER, maxLength: 300 });

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
    forAll([TEXT, fc.integer({ min: 1, max: 80 })], (text, limit) => {
      const line = oneLine(text, limit);
      expect(line.length).toBeLessThanOrEqual(limit);
      expect(line.isWellFormed()).toBe(true);
    });
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

const isLink = (text: string) => finder.test(text) || PHONE_NUMBER.test(text);

/** What stands for the name in a part of the mail. A title and a preheader have no elements; they are no body text. */
function nameIn(part: string): string {
  const names = [...part.matchAll(/First( .*? )Last/gsu)].map(([, name]) => name ?? '');
  return names.at(-1) ?? '';
}

it.each(HOSTILE_LINKS)(
  'a customer with the name %j is no link for any program, and reads the same',
  (name) => {
    expect(isLink(` ${name} `)).toBe(true);
    const { html, text } = renderReport(aReport({ merchant: { name: `First ${name} Last` } }));
    const shown = nameIn(html).replaceAll('&quot;', '"').replaceAll('&amp;', '&');
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
    forAll([TEXT], (value) => {
      const line = oneLine(value);
      expect(withoutLinkBreaks(withLinkBreaks(line))).toBe(line);
    }));

  it('cannot be brought in from outside', () => {
    expect(oneLine('a\uFDD0b\uFDD1c')).toBe('abc');
  });
});
