import { numberWithDigits, withDigits } from '../formatters/digits.ts';
import { isolated } from '../formatters/outside-text.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Digits } from '#domain/registry/digits.ts';
import type { Language } from '#domain/registry/languages.ts';

export { LANGUAGES } from '#domain/registry/languages.ts';
export type { Language } from '#domain/registry/languages.ts';

/** The name of a text. English has all of them. */
export type TextName = keyof (typeof CATALOGUE)['en']['texts'];

/** One text, or one for each plural form of the language. */
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;

interface Catalogue {
  locale: string;
  direction: string;
  texts: Record<TextName, Text>;
}

/** Both languages write numbers like that, and it is the same in every version of Node. */
const NUMBER = new Intl.NumberFormat('en');

const HOLE = /\{(\w+)\}/g;

/** The texts of one language. */
export class Texts {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /** Arabic-Indic digits are for Arabic only. */
  readonly digits: Digits;
  /** For `Intl`: the language's rules, always with the mail's digits and the Gregorian calendar. */
  readonly locale: string;
  readonly #texts: Record<TextName, Text>;
  readonly #plural: Intl.PluralRules;

  constructor(language: Language, digits: Digits) {
    const { locale, direction, texts }: Catalogue = CATALOGUE[language];
    this.language = language;
    this.direction = direction === 'rtl' ? 'rtl' : 'ltr';
    this.digits = language === 'ar' ? digits : 'latin';
    this.locale = `${locale}-u-ca-gregory-nu-${this.digits === 'latin' ? 'latn' : 'arab'}`;
    this.#texts = texts;
    this.#plural = new Intl.PluralRules(locale);
  }

  /**
   * A text with its placeholders filled: `{paid}` is replaced by the value with that name. Strings are
   * inserted unchanged, so they must be formatted and isolated before. Numbers are formatted here. The number
   * named `count` chooses the plural form. A number beyond the safe integers is a `bigint`.
   */
  say(name: TextName, values: Readonly<Record<string, string | number | bigint>> = {}): string {
    const text = this.#texts[name];
    const form = typeof text === 'string' ? text : this.#form(text, values['count']);
    return withDigits(form, this.digits).replace(HOLE, (hole, member: string) => {
      const value = Object.hasOwn(values, member) ? values[member] : undefined;
      return typeof value === 'number' || typeof value === 'bigint'
        ? isolated(this.number(NUMBER.format(value)))
        : (value ?? hole);
    });
  }

  /** A number such as `1,234.5` with the digits and the separators of the mail. */
  number(number: string): string {
    return numberWithDigits(number, this.digits);
  }

  /** Whether there is a text with that name, for names from outside. */
  has(name: string): name is TextName {
    return Object.hasOwn(this.#texts, name);
  }

  #form(text: Exclude<Text, string>, count: string | number | bigint | undefined): string {
    const isNumber = typeof count === 'number' || typeof count === 'bigint';
    const form = isNumber ? this.#plural.select(Number(count)) : 'other';
    return text[form] ?? text.other ?? '';
  }
}

const known = new Map<string, Texts>();

/** The texts of a language, with the digits 0 to 9 if nothing else is asked for. */
export function textsIn(language: Language, digits: Digits = 'latin'): Texts {
  const name = `${language} ${digits}`;
  const texts = known.get(name) ?? new Texts(language, digits);
  known.set(name, texts);
  return texts;
}
