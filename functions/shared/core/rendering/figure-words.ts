import { ISOLATE_END, ISOLATE_START, isolated } from './outside-text.ts';
import { printAmount, printCount } from './printed-figures.ts';
import type { FigureName, FigureValue } from './changed-figures.ts';
import type { Texts } from './texts/texts.ts';

/** An amount and its currency are one word: a line must not break between them. */
const NO_BREAK_SPACE = '\u00A0';

/** How figures are written in one mail: its language, and the currency of its amounts. */
export class FigureWords {
  readonly #texts: Texts;
  readonly #currency: string;

  constructor(texts: Texts, currency: string) {
    this.#texts = texts;
    this.#currency = currency;
  }

  count(count: number | null): string {
    return count === null ? this.#texts.unknown : isolated(printCount(count, this.#texts.unknown));
  }

  /** An amount with its currency. */
  amount(amount: string | null): string {
    if (amount === null) return this.#texts.unknown;
    return `${ISOLATE_START}${printAmount(amount)}${NO_BREAK_SPACE}${this.#currency}${ISOLATE_END}`;
  }

  value(value: FigureValue): string {
    if (value === null || typeof value === 'number') return this.count(value);
    if (typeof value === 'string') return this.amount(value);
    return value ? this.#texts.changes.balanced : this.#texts.changes.unbalanced;
  }

  /** The registry's word for a refund status, in the mail's language where that is known. */
  refundStatus(status: string): string {
    const words = Object.entries(this.#texts.refundStatuses);
    return words.find(([known]) => known === status)?.[1] ?? isolated(status);
  }

  figure(figure: FigureName): string {
    const texts = this.#texts;
    switch (figure.of) {
      case 'count':
        return [texts.invoices, texts.states[figure.state], texts.count].join(texts.comma);
      case 'amount':
        return [texts.invoices, texts.states[figure.state], texts.amount].join(texts.comma);
      case 'refunds': {
        const status = figure.status === null ? texts.allRefunds : this.refundStatus(figure.status);
        const measure = figure.measure === 'count' ? texts.count : texts.amount;
        return [texts.refundBasis[figure.basis], status, measure].join(texts.comma);
      }
      case 'balance':
        return texts.changes.balance;
    }
  }
}
