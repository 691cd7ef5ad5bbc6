import { isolated } from '../formatters/outside-text.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Language } from '#registry/languages.ts';
import { memoized } from '#registry/once.ts';

export { LANGUAGES } from '#registry/languages.ts';
export type { Language } from '#registry/languages.ts';

/** The name of a text. English has all of them. */
export type TextName = keyof (typeof CATALOGUE)['en']['texts'];

type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;

interface Catalogue {
  locale: string;
  direction: string;
  texts: Record<TextName, Text>;
}

/** Both languages write numbers like that, and it is the same in every version of Node. */
const NUMBER = new Intl.NumberFormat('en');

const HOLE = /\{(\w+)\}/g;

export class Texts {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /** For `Intl`: the language's rules, always with the digits 0 to 9 and the Gregorian calendar. */
  readonly locale: string;
  readonly #texts: Record<TextName, Text>;
  readonly #plural: Intl.PluralRules;

  constructor(language: Language) {
    const { locale, direction, texts }: Catalogue = CATALOGUE[language];
    this.language = language;
    this.direction = direction === 'rtl' ? 'rtl' : 'ltr';
    this.locale = `${locale}-u-ca-gregory-nu-latn`;
    this.#texts = texts;
    this.#plural = new Intl.PluralRules(locale);
  }

  /**
   * A text with its placeholders filled. Strings must be formatted and isolated before; numbers are formatted
   * here, and `count` chooses the plural form. Beyond the safe integers a number is a `bigint`.
   */
  say(name: TextName, values: Readonly<Record<string, string | number | bigint>> = {}): string {
    const text = this.#texts[name];
    const form = typeof text === 'string' ? text : this.#form(text, values['count']);
    return form.replace(HOLE, (hole, member: string) => {
      const value = Object.hasOwn(values, member) ? values[member] : undefined;
      return typeof value === 'number' || typeof value === 'bigint'
        ? isolated(NUMBER.format(value))
        : (value ?? hole);
    });
  }

  has(name: string): name is TextName {
    return Object.hasOwn(this.#texts, name);
  }

  #form(text: Exclude<Text, string>, count: string | number | bigint | undefined): string {
    const isNumber = typeof count === 'number' || typeof count === 'bigint';
    const form = isNumber ? this.#plural.select(Number(count)) : 'other';
    return text[form] ?? text.other ?? '';
  }
}

const known = new Map<Language, Texts>();

export function textsIn(language: Language): Texts {
  return memoized(known, language, () => new Texts(language));
}
