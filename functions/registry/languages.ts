// Made by `npm run mail:compile`, of the texts of mails, functions/mail/texts.
/** The languages that mails are written in: one file of texts for each. */
export const LANGUAGES = ['ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
