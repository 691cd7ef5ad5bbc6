import type { Day } from '../day/business-day.ts';
import type { RefundFigures, RefundTotals } from './figures.ts';
import { formatAmount, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { integerText } from '../json/exact-json.ts';
import { NameTally } from '../records/name-tally.ts';
import type { Refund } from '../records/refund.ts';

const OTHER = 'other';

interface Sum {
  count: number;
  total: Thousandths;
}

/** The refunds of one basis. */
class Basis {
  readonly #all: Sum = { count: 0, total: 0n };
  readonly #byStatus: Map<string, Sum>;

  /** @param names every status that shows even when no refund has it */
  constructor(names: readonly string[]) {
    this.#byStatus = new Map(names.map((name) => [name, { count: 0, total: 0n }]));
  }

  add(status: string, amount: Thousandths): void {
    const ofStatus = this.#byStatus.get(status) ?? { count: 0, total: 0n };
    this.#byStatus.set(status, ofStatus);
    for (const sum of [this.#all, ofStatus]) {
      sum.count += 1;
      sum.total += amount;
    }
  }

  totals(): RefundTotals {
    const shown = (sum: Sum) => ({ count: sum.count, total: formatAmount(sum.total) });
    const names = [...this.#byStatus.keys()].sort();
    return {
      ...shown(this.#all),
      byStatus: Object.fromEntries(
        names.flatMap((name) => {
          const sum = this.#byStatus.get(name);
          return sum === undefined ? [] : [[name, shown(sum)]];
        }),
      ),
    };
  }
}

/**
 * A day's refunds on both bases: by `refund_at`, and by the date of the transaction refunded (`transaction_date`).
 * Both are read as the service writes them; it does not say their zone. A refund that belongs to the day on neither
 * basis counts on neither. A status that the registry does not name counts as `other`.
 */
export class RefundDayTotals {
  readonly #day: Day;
  readonly #names: Readonly<Record<string, string>>;
  readonly #refundBasis: Basis;
  readonly #saleBasis: Basis;
  readonly #unknown = new NameTally();

  /** @param names the registry's words for the values of a refund's `status` */
  constructor(day: Day, names: Readonly<Record<string, string>>) {
    this.#day = day;
    this.#names = names;
    const shown = [...new Set(Object.values(names))];
    this.#refundBasis = new Basis(shown);
    this.#saleBasis = new Basis(shown);
  }

  add(refund: Pick<Refund, 'amount' | 'status' | 'refund_at' | 'transaction_date'>): void {
    const status = integerText(refund.status);
    const name = Object.hasOwn(this.#names, status) ? this.#names[status] : undefined;
    if (name === undefined) this.#unknown.add(status);
    const amount = parseAmount(refund.amount);
    if (refund.refund_at === this.#day) this.#refundBasis.add(name ?? OTHER, amount);
    if (refund.transaction_date.slice(0, 10) === this.#day) this.#saleBasis.add(name ?? OTHER, amount);
  }

  figures(): RefundFigures {
    return { ...this.#refundBasis.totals(), saleBasis: this.#saleBasis.totals() };
  }

  /** How often statuses without a name came, by their value. */
  get unknownStatuses(): NameTally {
    return this.#unknown;
  }
}
