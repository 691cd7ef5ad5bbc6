import { formatAmount, parseAmount } from '#records/money/money.ts';
import { isExactAmount } from './workbook-cell.ts';

export interface ColumnSum {
  /** A decimal string with three fraction digits. */
  amount: string;
  /** Whether a spreadsheet that adds up the column shows the same thousandths. */
  computable: boolean;
}

/** Sums a column of amounts exactly. */
export class ColumnTotal {
  #sum = 0n;
  #sizes = 0n;
  #count = 0;
  #isComputable = true;
  #isKnown = true;

  add(text: string): void {
    if (text === '' || !this.#isKnown) return;
    let amount: bigint;
    try {
      amount = parseAmount(text);
    } catch {
      this.#isKnown = false;
      return;
    }
    this.#sum += amount;
    this.#sizes += amount < 0n ? -amount : amount;
    this.#count += 1;
    this.#isComputable &&= isExactAmount(text);
  }

  /** `null` when there is nothing to sum, or a value is not an amount. */
  sum(): ColumnSum | null {
    if (!this.#isKnown || this.#count === 0) return null;
    // Each amount, and each step of a sum of doubles, is wrong by a share of 2^-53 at most: below half a
    // thousandth.
    const isPrecise = BigInt(this.#count) * this.#sizes < 2n ** 51n;
    const amount = formatAmount(this.#sum);
    return { amount, computable: this.#isComputable && isPrecise && isExactAmount(amount) };
  }
}
