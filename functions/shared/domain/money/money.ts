import { DaybookError } from '../errors/daybook-error.ts';

/** An exact sum of money in thousandths of the currency's unit: `143.500` is `143500n`. */
export type Thousandths = bigint;

/** An amount is not a decimal string with three fraction digits (docs/contract.md, 2.1 Formats). */
export class AmountError extends DaybookError {
  override readonly name = 'AmountError';
}

/** An amount of the contract, of at most thirty digits before the point. */
export const AMOUNT_PATTERN = /^-?\d{1,30}\.\d{3}$/;
/** A sum of such amounts, which has more digits than each of them: enough for more rows than there can ever be. */
export const SUM_PATTERN = /^-?\d{1,60}\.\d{3}$/;

function thousandthsOf(text: string, pattern: RegExp): Thousandths {
  if (!pattern.test(text)) throw new AmountError('not a decimal string with three fraction digits');
  return BigInt(text.replace('.', ''));
}

/**
 * Reads an amount string (docs/contract.md, 2.1 Formats), such as `"12.500"`.
 *
 * @returns thousandths
 * @throws {AmountError} when the text is anything but digits, a point and three digits (a sign may lead)
 */
export function parseAmount(text: string): Thousandths {
  return thousandthsOf(text, AMOUNT_PATTERN);
}

/**
 * Reads a sum as {@link formatAmount} has printed it; it may be longer than any amount of the contract.
 *
 * @returns thousandths
 * @throws {AmountError} when the text is anything but digits, a point and three digits (a sign may lead)
 */
export function parseSum(text: string): Thousandths {
  return thousandthsOf(text, SUM_PATTERN);
}

/** Prints thousandths as the contract's amount string: `-1500n` is `"-1.500"`. */
export function formatAmount(amount: Thousandths): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(4, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** A quotient rounded half away from zero. @param by above zero */
export function divided(value: bigint, by: bigint): bigint {
  const [sign, size] = value < 0n ? [-1n, -value] : [1n, value];
  return (sign * (size * 2n + by)) / (by * 2n);
}
