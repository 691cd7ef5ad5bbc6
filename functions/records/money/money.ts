import * as z from 'zod';
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
  if (text.length <= EXACT_AS_NUMBER) return BigInt(Math.round(Number(text) * 1_000));
  return BigInt(text.replace('.', ''));
}

/** Thousandths of an amount (docs/contract.md, 2.1 Formats). @throws {AmountError} when it is none */
export function parseAmount(text: string): Thousandths {
  return thousandthsOf(text, AMOUNT_PATTERN);
}

/** Of a sum by {@link formatAmount}, perhaps longer than an amount. @throws {AmountError} when it is none */
export function parseSum(text: string): Thousandths {
  return thousandthsOf(text, SUM_PATTERN);
}

/** Of a decimal with at most three digits after the point, not negative; `null` for any other text. */
export function parseDecimal(text: string): Thousandths | null {
  const [, whole, decimals = ''] = /^(\d{1,30})(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  return whole === undefined ? null : parseAmount(`${whole}.${decimals.padEnd(3, '0')}`);
}

/** Of any amount: the contract has thousandths. */
export const MOST_DECIMALS = 3;

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

/** Building a formatter is slow, and a fleet has few currencies. */
const decimals = new Map<string, number>();

/** Digits after the point in amounts of a currency: 3 of KWD, 2 of USD, none of JPY. */
export function decimalsOf(currency: string): number {
  const known = decimals.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const found = Math.min(format.resolvedOptions().maximumFractionDigits ?? MOST_DECIMALS, MOST_DECIMALS);
  decimals.set(currency, found);
  return found;
}

/** The least amount of a currency: 1 of KWD, 10 of USD, 1,000 of JPY. */
export function leastAmount(currency: string): Thousandths {
  return 10n ** BigInt(MOST_DECIMALS - decimalsOf(currency));
}

/** With as many digits as the currency has, and with all three where they say more: `12.340` of USD is `12.34`. */
export function plainAmount(amount: Thousandths, currency: string): string {
  const text = formatAmount(amount);
  const places = decimalsOf(currency);
  if (amount % leastAmount(currency) !== 0n || places === MOST_DECIMALS) return text;
  return text.slice(0, places === 0 ? -MOST_DECIMALS - 1 : places - MOST_DECIMALS);
}

export type Extent = 'day' | 'period' | 'group';

/**
 * Days are added up to periods, and periods to groups: a sum of the largest figures of one fits the next. A
 * day has room for 10,000 million amounts, a period for 31 days with charges, a group for 20,000 merchants.
 */
const LARGEST: Readonly<Record<Extent, { count: number; digits: number }>> = {
  day: { count: 10_000_000_000, digits: 40 },
  period: { count: 400_000_000_000, digits: 44 },
  group: { count: Number.MAX_SAFE_INTEGER, digits: 60 },
};

export const LARGEST_COUNT_OF_DAY = LARGEST.day.count;

/** What these types of stored figures accept can be added up with others of its extent, and printed. */
export function sealedTypes(extent: Extent) {
  const { count, digits } = LARGEST[extent];
  return {
    count: z.lazy(() => z.int().min(0).max(count)),
    /** Below zero when the service contradicts itself. */
    countDifference: z.lazy(() => z.int().min(-count).max(count)),
    /** A decimal string with three fraction digits, perhaps negative. */
    amount: z.lazy(() =>
      z
        .string()
        .regex(
          new RegExp(`^-?\\d{1,${digits}}\\.\\d{3}$`),
          `must be a decimal string with three fraction digits, and at most ${digits} before them`,
        ),
    ),
  };
}

export const sealed = sealedTypes('group');

export const currencySchema = z.lazy(() =>
  z.string().regex(/^[A-Z]{3}$/, 'must be a currency code of three capitals'),
);

/** `null` when one is unknown: a null never counts as zero. */
export function allKnown<Value>(values: readonly (Value | null)[]): Value[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? known : null;
}

/** The exact sum. @throws {AmountError} when one is not a decimal string with three fraction digits */
export function addAmounts(amounts: readonly string[]): string {
  return formatAmount(amounts.reduce((sum, amount) => sum + parseSum(amount), 0n));
}

export class CountedSum {
  #count = 0;
  #amount: Thousandths = 0n;

  add(amount: Thousandths, count = 1): void {
    this.#count += count;
    this.#amount += amount;
  }

  value(): { count: number; amount: string } {
    return { count: this.#count, amount: formatAmount(this.#amount) };
  }
}

export class SumsByKey<Key> extends Map<Key, CountedSum> {
  addTo(key: Key, amount: Thousandths): void {
    const sum = this.get(key) ?? new CountedSum();
    this.set(key, sum);
    sum.add(amount);
  }
}

/** {@link addAmounts}, and how many there are. */
export function sumOfParts(parts: Iterable<{ count: number; amount: string }>) {
  const sum = new CountedSum();
  for (const { count, amount } of parts) sum.add(parseSum(amount), count);
  return sum.value();
}

/** A count and an amount with the names that stored sums have. */
export const sumNames = ({ count, amount }: { count: number; amount: string }) => ({ count, sum: amount });

/** {@link sumOfParts} of parts with those names. */
export function addSummed(parts: readonly { count: number; sum: string }[]) {
  return sumNames(sumOfParts(parts.map(({ count, sum }) => ({ count, amount: sum }))));
}
