import { oneLine } from './outside-text.ts';

const AMOUNT = /^(-?)(\d+)(\.\d+)?$/;

function grouped(digits: string): string {
  return digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * A decimal string with separators between thousands: `"1234567.500"` is `"1,234,567.500"`. Every digit that came is
 * printed; what is not a decimal string is printed as it came, on one line.
 */
export function printAmount(amount: string): string {
  const [, sign = '', digits, fraction = ''] = AMOUNT.exec(amount) ?? [];
  return digits === undefined ? oneLine(amount) : `${sign}${grouped(digits)}${fraction}`;
}

/** A count with separators between thousands; `null` is printed as the word for "unknown". */
export function printCount(count: number | null, unknown: string): string {
  return count === null ? unknown : printAmount(count.toString());
}
