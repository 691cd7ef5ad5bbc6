/** The digits of a mail's figures and dates: 0–9, or those of Arabic. */
export const DIGITS = ['latin', 'arabic-indic'] as const;
export type Digits = (typeof DIGITS)[number];
