// Made by `npm run mail:compile`, of the texts of mails, functions/shared/rendering/texts.
export const LANGUAGES = ['ar', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];
