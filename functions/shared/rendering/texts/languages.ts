// Made by `npm run mail:compile`, of the files in this folder.
/** The languages that mails are written in: the files of this folder. */
export const LANGUAGES = ['ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
