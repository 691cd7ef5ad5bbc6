import { describe, expect, it } from 'vitest';
import { findRepeatedNames } from '#records/json/repeated-names.ts';
import { CATALOGUE } from '#mail/texts/catalogue.ts';
import { LANGUAGES, textsIn, type TextName } from '#mail/texts/texts.ts';
import { compileMails } from '#scripts/mail-template.ts';
import { readFile } from 'node:fs/promises';
import { defined } from '#support/assertions/defined.ts';

type Text = string | Record<string, string>;

const english: Record<string, Text> = CATALOGUE.en.texts;
const forms = (text: Text) => (typeof text === 'string' ? [text] : Object.values(text));
const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const { texts, locale, direction } = CATALOGUE[language];
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

  it('know their direction', () => {
    expect(['ltr', 'rtl']).toContain(direction);
    expect(textsIn(language).direction).toBe(direction);
  });
});

it('a number chooses its form by the rules of the language', () => {
  const said = (name: TextName, count: number) =>
    textsIn('ar')
      .say(name, { paid: '٠', count })
      .replaceAll(/[\u2068\u2069]/g, '');
  expect(said('outcome', 1)).toBe('المدفوع ٠ من فاتورة واحدة');
  expect(said('outcome', 2)).toBe('المدفوع ٠ من فاتورتين');
  expect(said('outcome', 7)).toBe('المدفوع ٠ من 7 فواتير');
  expect(said('outcome', 1_428)).toBe('المدفوع ٠ من 1,428 فاتورة');
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
