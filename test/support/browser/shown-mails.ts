import { SAMPLE_MAILS } from '#bin/mail-preview/sample-mails.ts';
import { LANGUAGES } from '#mail/texts/texts.ts';
import type { Language } from '#mail/texts/texts.ts';
import { longestMails } from '../rendering/longest-mails.ts';

/** A mail as a page shows it. */
export interface ShownCase {
  name: string;
  language: Language;
  html: string;
}

/** The samples, and mails with the longest and strangest allowed values, in every language. */
export const SHOWN_MAILS: readonly ShownCase[] = [
  ...Object.entries(SAMPLE_MAILS).flatMap(([name, compose]) =>
    (name === 'ops' ? (['en'] as const) : LANGUAGES).map((language) => ({
      name,
      language,
      html: compose(language).html,
    })),
  ),
  ...LANGUAGES.flatMap((language) =>
    longestMails(language).map(({ name, mail }) => ({ name, language, html: mail.html })),
  ),
];
