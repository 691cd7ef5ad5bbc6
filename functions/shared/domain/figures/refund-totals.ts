import * as z from 'zod';
import { dayIn } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { DayRefunds, RefundsWithoutDay } from './figures.ts';
import { formatAmount, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { integerText } from '../json/exact-json.ts';
import { NameTally } from '../records/name-tally.ts';
import type { Refund } from '../records/refund.ts';

const OTHER = 'other';
/** The most refunds without a day that are named. */
const MOST_IDS = 5;

/** The registry's names for the values of a refund's `status`. */
export const refundStatusesSchema = z.lazy(() =>
  z.record(
    z.string(),
    z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be a name of a-z, 0-9, "_" and "-"'),
  ),
);

interface Sum {
  count: number;
  total: Thousandths;
}

/** What totals need of a refund. Its dates are as they were sent; what cannot be read is of no day. */
export type RefundPart = Pick<Refund, 'id' | 'amount' | 'status'> & {
  refund_at?: unknown;
  transaction_date?: unknown;
};

/** Whether a datetime of the service, as it was sent, is of the day. */
export function isOfDay(datetime: unknown, day: Day): boolean {
  return typeof datetime === 'string' && datetime.slice(0, 10) === day;
}

/** The refunds of one basis. */
class Basis {
  readonly #all: Sum = { count: 0, total: 0n };
  readonly #byStatus: Map<string, Sum>;

  /** @param names every status that appears even when no refund has it */
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

  totals(): DayRefunds['saleBasis'] {
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
 * A day's refunds on both bases: by `refund_at`, and by the date of the refunded transaction
 * (`transaction_date`) (docs/contract.md, 2.4 Refund record). Both dates are used as the service writes them,
 * because their zone is unknown. A refund of another day counts on neither basis, and one whose own date is
 * none counts apart. A status that the registry does not name counts as `other`.
 */
export class RefundDayTotals {
  readonly #day: Day;
  readonly #names: Readonly<Record<string, string>>;
  readonly #refundBasis: Basis;
  readonly #saleBasis: Basis;
  readonly #withoutDay = new Basis([]);
  readonly #idsWithoutDay: string[] = [];
  readonly #unknown = new NameTally();

  /** @param names the registry's names for the values of a refund's `status` */
  constructor(day: Day, names: Readonly<Record<string, string>>) {
    this.#day = day;
    this.#names = names;
    const shown = [...new Set(Object.values(names))];
    this.#refundBasis = new Basis(shown);
    this.#saleBasis = new Basis(shown);
  }

  /** Adds a refund. */
  add(refund: RefundPart): void {
    const status = integerText(refund.status);
    const name = Object.hasOwn(this.#names, status) ? this.#names[status] : undefined;
    if (name === undefined) this.#unknown.add(status);
    const amount = parseAmount(refund.amount);
    if (refund.refund_at === this.#day) this.#refundBasis.add(name ?? OTHER, amount);
    if (isOfDay(refund.transaction_date, this.#day)) this.#saleBasis.add(name ?? OTHER, amount);
    if (dayIn(refund.refund_at) !== null) return;
    this.#withoutDay.add(name ?? OTHER, amount);
    if (this.#idsWithoutDay.length < MOST_IDS) this.#idsWithoutDay.push(integerText(refund.id));
  }

  /** The figures of the refunds so far. */
  figures(): DayRefunds {
    return { ...this.#refundBasis.totals(), saleBasis: this.#saleBasis.totals() };
  }

  /** The refunds so far whose date is none, such as `0000-00-00`. */
  get withoutDay(): RefundsWithoutDay {
    return { ...this.#withoutDay.totals(), ids: this.#idsWithoutDay };
  }

  /** How often statuses without a name came, by value. */
  get unknownStatuses(): NameTally {
    return this.#unknown;
  }
}
