import type { Digits } from '#domain/registry/digits.ts';

const ZERO = 0x06_60;
const SIGNS: Readonly<Record<string, string>> = { ',': '٬', '.': '٫', '%': '٪' };

/** A text with its digits 0 to 9 in those of the mail. Its other signs stay. */
export function withDigits(text: string, digits: Digits): string {
  if (digits === 'latin') return text;
  return text.replace(/[0-9]/g, (digit) => String.fromCharCode(ZERO + Number(digit)));
}

/** A number such as `1,234.5` with the digits and the separators of the mail. */
export function numberWithDigits(number: string, digits: Digits): string {
  if (digits === 'latin') return number;
  return withDigits(
    number.replace(/[,.%]/g, (sign) => SIGNS[sign] ?? sign),
    digits,
  );
}
