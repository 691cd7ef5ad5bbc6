import { findRepeatedNames } from '#records/json/repeated-names.ts';
import { CATALOGUE } from '#mail/texts/catalogue.ts';
import { LANGUAGES, textsIn } from '#mail/texts/texts.ts';
import { compileMails } from '#scripts/mail-template.ts';
import { readFile } from 'node:fs/promises';
import { defined } from '#support/assertions/index.ts';

type Text = string | Record<string, string>;

const english: Record<string, Text> = CATALOGUE.en.texts;
const forms = (text: Text) => (typeof text === 'string' ? [text] : Object.values(text));
const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const { texts, locale } = CATALOGUE[language];
  const own: Record<string, Text> = texts;

  it('are each there once: of two texts with one name the first is lost', async () => {
    const json = await readFile(`functions/mail/texts/${language}.json`, 'utf8');
    const repeated: unknown[] = [];
    findRepeatedNames(json, (path) => repeated.push(path) > 0);
    expect(repeated).toEqual([]);
  });

  it('are all there, and no other', () => {
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
  });

  it('have the plural forms of the language, where English has any', () => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories.toSorted();
    for (const [name, text] of Object.entries(own)) {
      expect([name, typeof text]).toEqual([name, typeof english[name]]);
      if (typeof text !== 'string') expect([name, Object.keys(text).sort()]).toEqual([name, categories]);
    }
  });

  it('have the placeholders of the English ones; a plural form may have its count in words', () => {
    for (const [name, text] of Object.entries(own)) {
      const wanted = [...new Set(forms(defined(english[name])).flatMap(holes))].sort();
      for (const form of forms(text)) {
        const got = holes(form);
        const withCount = typeof text === 'string' ? got : [...new Set([...got, '{count}'])].sort();
        expect([name, form, withCount]).toEqual([name, form, wanted]);
      }
    }
  });

  it('hold nothing that is invisible or begins a tag', () => {
    for (const text of Object.values(own).flatMap(forms)) {
      expect(text).not.toMatch(/[\p{Bidi_Control}\p{Cc}<>]/u);
    }
  });
});

it('a number chooses its form by the rules of the language', () => {
  const said = [1, 2, 7, 1_428].map((count) => textsIn('ar').say('outcome', { paid: '٠', count }));
  expect(said.map((text) => text.replaceAll(/[\u2068\u2069]/g, ''))).toEqual([
    ...['المدفوع ٠ من فاتورة واحدة', 'المدفوع ٠ من فاتورتين'],
    ...['المدفوع ٠ من 7 فواتير', 'المدفوع ٠ من 1,428 فاتورة'],
  ]);
});

it('a value that fills a placeholder is not searched for placeholders', () => {
  expect(textsIn('en').say('against.average', { weekday: '{weekday} $& {count}' })).toBe(
    'vs. {weekday} $& {count}s',
  );
  expect(textsIn('en').has('__proto__')).toBe(false);
});

it('the compiled mails are those of the present source files', async () => {
  for (const [file, code] of await compileMails())
    expect([file, code === (await readFile(file, 'utf8'))]).toEqual([file, true]);
});
