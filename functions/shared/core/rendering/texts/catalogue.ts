import { arabic } from './ar.ts';
import { english } from './en.ts';
import type { Language, Texts } from './texts.ts';

const CATALOGUE: Record<Language, Texts> = { en: english, ar: arabic };

/** The texts of a language. */
export function textsIn(language: Language): Texts {
  return CATALOGUE[language];
}
