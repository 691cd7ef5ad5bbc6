import { SAMPLE_MAILS } from '#bin/mail-preview/sample-mails.ts';
import { FigureFormatter } from '#mail/formatters/figure-formatter.ts';
import { ISOLATE_END, ISOLATE_START, isolated, withoutIsolates } from '#mail/formatters/outside-text.ts';
import { LANGUAGES, type Language } from '#mail/texts/texts.ts';
import { longestMails } from '../rendering/longest-mails.ts';

export interface ShownCase {
  name: string;
  language: Language;
  html: string;
}

function samples(): ShownCase[] {
  return Object.entries(SAMPLE_MAILS).flatMap(([name, compose]) =>
    (name === 'ops' ? (['en'] as const) : LANGUAGES).map((language) => ({
      name,
      language,
      html: compose(language).html,
    })),
  );
}

function ofTenDigits(amount: string): string {
  return isolated(amount.startsWith('-') ? '-1,234,567.890' : '1,234,567.890');
}

/** The samples, as if each amount had ten digits. */
export function largeMails(): ShownCase[] {
  const spies = [
    vi.spyOn(FigureFormatter.prototype, 'amount').mockImplementation(function (
      this: FigureFormatter,
      amount,
    ) {
      if (amount === null) return this.texts.say('unknown');
      return `${ISOLATE_START}${ofTenDigits(amount)}\u00A0${withoutIsolates(this.currency)}${ISOLATE_END}`;
    }),
    vi.spyOn(FigureFormatter.prototype, 'bareAmount').mockImplementation(function (
      this: FigureFormatter,
      amount,
    ) {
      return amount === null ? this.texts.say('unknown') : ofTenDigits(amount);
    }),
  ];
  const large = samples();
  for (const spy of spies) spy.mockRestore();
  return large;
}

/** The samples, and mails with the longest and strangest allowed values, in every language. */
export const SHOWN_MAILS: readonly ShownCase[] = [
  ...samples(),
  ...LANGUAGES.flatMap((language) =>
    longestMails(language).map(({ name, mail }) => ({ name, language, html: mail.html })),
  ),
];
