import { formatAmount, parseSum } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import type { CountAndAmount } from './breakdown.ts';

/** A number of invoices and their exact sum, added up part by part. */
export class CountedSum {
  #count = 0;
  #amount: Thousandths = 0n;

  /** Adds an invoice, or several that are already added up. */
  add(amount: Thousandths, count = 1): void {
    this.#count += count;
    this.#amount += amount;
  }

  /** The number and the sum so far. */
  value(): CountAndAmount {
    return { count: this.#count, amount: formatAmount(this.#amount) };
  }
}

/**
 * The exact sum of the parts.
 *
 * @throws {AmountError} when an amount is not a decimal string with three fraction digits
 */
export function sumOfParts(parts: Iterable<CountAndAmount>): CountAndAmount {
  const sum = new CountedSum();
  for (const { count, amount } of parts) sum.add(parseSum(amount), count);
  return sum.value();
}
