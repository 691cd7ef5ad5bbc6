import { DaybookError } from '../errors/daybook-error.ts';

/** Thousandths of the currency's unit: `143.500` is `143500n`. */
export type Thousandths = bigint;

/** An amount is not a decimal string with three fraction digits (docs/contract.md, 2.1 Formats). */
export class AmountError extends DaybookError {
  override readonly name = 'AmountError';
}

/** With at most thirty digits before the point (docs/contract.md, 2.1 Formats). */
export const AMOUNT_PATTERN = /^-?\d{1,30}\.\d{3}$/;
/** Room for the sum of more than there can ever be. */
export const SUM_PATTERN = /^-?\d{1,80}\.\d{3}$/;

export function isAmount(value: unknown): value is string {
  return typeof value === 'string' && AMOUNT_PATTERN.test(value);
}

/** Text of at most this length has at most fifteen digits, so a thousandth is above the error of a number. */
const EXACT_AS_NUMBER = 16;

function thousandthsOf(text: string, pattern: RegExp): Thousandths {
  if (!pattern.test(text)) throw new AmountError('not a decimal string with three fraction digits');
  // Half the time of the digits as text.
  if (text.length <= EXACT_AS_NUMBER) return BigInt(Math.round(Number(text) * 1_000));
  return BigInt(text.replace('.', ''));
}

/** Thousandths of an amount (docs/contract.md, 2.1 Formats). @throws {AmountError} when it is none */
export function parseAmount(text: string): Thousandths {
  return thousandthsOf(text, AMOUNT_PATTERN);
}

/**
 * Thousandths of a sum by {@link formatAmount}, perhaps longer than an amount.
 * @throws {AmountError} when it is none
 */
export function parseSum(text: string): Thousandths {
  return thousandthsOf(text, SUM_PATTERN);
}

/** Prints thousandths as an amount of the contract: `-1500n` is `"-1.500"`. */
export function formatAmount(amount: Thousandths): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(4, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

/** A quotient, rounded half away from zero. @param by above zero */
export function divided(value: bigint, by: bigint): bigint {
  const [sign, size] = value < 0n ? [-1n, -value] : [1n, value];
  return (sign * (size * 2n + by)) / (by * 2n);
}
