import * as z from 'zod';
import { dayIn } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { DayRefunds, RefundsWithoutDay } from './figure-schemas.ts';
import { CountedSum, parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import { integerText } from '../json/exact-json.ts';
import { statusName } from './invoice-state-totals.ts';
import { NameTally } from '../rows/drift-tallies.ts';
import type { Refund } from '../rows/contract-records.ts';

const OTHER = 'other';
const MOST_IDS = 5;

export const refundStatusesSchema = z.lazy(() =>
  z.record(
    z.string(),
    z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, 'must be a name of a-z, 0-9, "_" and "-"'),
  ),
);

export type RefundPart = Pick<Refund, 'id' | 'amount' | 'status'> & {
  refund_at?: unknown;
  transaction_date?: unknown;
};

/** Whether a datetime of the service, as it was sent, is of the day. */
export function isOfDay(datetime: unknown, day: Day): boolean {
  return typeof datetime === 'string' && datetime.slice(0, 10) === day;
}

class Basis {
  readonly #all = new CountedSum();
  readonly #byStatus: Map<string, CountedSum>;

  constructor(names: readonly string[]) {
    this.#byStatus = new Map(names.map((name) => [name, new CountedSum()]));
  }

  add(status: string, amount: Thousandths): void {
    const ofStatus = this.#byStatus.get(status) ?? new CountedSum();
    this.#byStatus.set(status, ofStatus);
    this.#all.add(amount);
    ofStatus.add(amount);
  }

  totals(): DayRefunds['saleBasis'] {
    const shown = (sum: CountedSum) => {
      const { count, amount: total } = sum.value();
      return { count, total };
    };
    const byStatus = [...this.#byStatus].sort(([one], [other]) => (one < other ? -1 : 1));
    return {
      ...shown(this.#all),
      byStatus: Object.fromEntries(byStatus.map(([name, sum]) => [name, shown(sum)])),
    };
  }
}

/**
 * Refunds by `refund_at`, and by `transaction_date` (docs/contract.md, 2.4 Refund record), as the service
 * writes them. One of another day counts on neither basis, one without a date apart, an unnamed status as
 * `other`.
 */
export class RefundDayTotals {
  readonly #day: Day;
  readonly #names: Readonly<Record<string, string>>;
  readonly #refundBasis: Basis;
  readonly #saleBasis: Basis;
  readonly #withoutDay = new Basis([]);
  readonly #idsWithoutDay: string[] = [];
  /** By value, how often statuses without a name came. */
  readonly unknownStatuses = new NameTally();

  constructor(day: Day, names: Readonly<Record<string, string>>) {
    this.#day = day;
    this.#names = names;
    const shown = [...new Set(Object.values(names))];
    this.#refundBasis = new Basis(shown);
    this.#saleBasis = new Basis(shown);
  }

  add(refund: RefundPart): void {
    const name = statusName(this.#names, refund.status);
    if (name === undefined) this.unknownStatuses.add(integerText(refund.status));
    const amount = parseAmount(refund.amount);
    if (refund.refund_at === this.#day) this.#refundBasis.add(name ?? OTHER, amount);
    if (isOfDay(refund.transaction_date, this.#day)) this.#saleBasis.add(name ?? OTHER, amount);
    if (dayIn(refund.refund_at) !== null) return;
    this.#withoutDay.add(name ?? OTHER, amount);
    if (this.#idsWithoutDay.length < MOST_IDS) this.#idsWithoutDay.push(integerText(refund.id));
  }

  figures(): DayRefunds {
    return { ...this.#refundBasis.totals(), saleBasis: this.#saleBasis.totals() };
  }

  /** With a date such as `0000-00-00`. */
  get withoutDay(): RefundsWithoutDay {
    return { ...this.#withoutDay.totals(), ids: this.#idsWithoutDay };
  }
}
