import { formatAmount, parseSum } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import type { CountAndAmount } from './breakdown.ts';

export class CountedSum {
  #count = 0;
  #amount: Thousandths = 0n;

  add(amount: Thousandths, count = 1): void {
    this.#count += count;
    this.#amount += amount;
  }

  value(): CountAndAmount {
    return { count: this.#count, amount: formatAmount(this.#amount) };
  }
}

/**
 * The exact sum.
 * @throws {AmountError} when an amount is not a decimal string with three fraction digits
 */
export function sumOfParts(parts: Iterable<CountAndAmount>): CountAndAmount {
  const sum = new CountedSum();
  for (const { count, amount } of parts) sum.add(parseSum(amount), count);
  return sum.value();
}
