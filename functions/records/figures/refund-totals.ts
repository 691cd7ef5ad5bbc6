import * as z from 'zod';
import { dayIn } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { DayRefunds, RefundsWithoutDay } from './figure-schemas.ts';
import { CountedSum, parseAmount, sumOfParts, SumsByKey } from '../money/money.ts';
import { integerText } from '../json/exact-json.ts';
import type { CountAndAmount } from './breakdown.ts';
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

function totalsOf(sums: SumsByKey<string>): DayRefunds['saleBasis'] {
  const shown = ({ count, amount: total }: CountAndAmount) => ({ count, total });
  const byStatus = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...shown(sumOfParts([...sums.values()].map((sum) => sum.value()))),
    byStatus: Object.fromEntries(byStatus.map(([name, sum]) => [name, shown(sum.value())])),
  };
}

/**
 * Refunds by `refund_at`, and by `transaction_date` (docs/contract.md, 2.4 Refund record), as the service
 * writes them. One of another day counts on neither basis, one without a date apart, an unnamed status as
 * `other`.
 */
export class RefundDayTotals {
  readonly #day: Day;
  readonly #names: Readonly<Record<string, string>>;
  readonly #refundBasis = new SumsByKey<string>();
  readonly #saleBasis = new SumsByKey<string>();
  readonly #withoutDay = new SumsByKey<string>();
  readonly #idsWithoutDay: string[] = [];
  /** By value, how often statuses without a name came. */
  readonly unknownStatuses = new NameTally();

  constructor(day: Day, names: Readonly<Record<string, string>>) {
    this.#day = day;
    this.#names = names;
    for (const name of Object.values(names)) {
      this.#refundBasis.set(name, new CountedSum());
      this.#saleBasis.set(name, new CountedSum());
    }
  }

  add(refund: RefundPart): void {
    const name = statusName(this.#names, refund.status);
    if (name === undefined) this.unknownStatuses.add(integerText(refund.status));
    const amount = parseAmount(refund.amount);
    if (refund.refund_at === this.#day) this.#refundBasis.addTo(name ?? OTHER, amount);
    const { transaction_date: sold } = refund;
    if (typeof sold === 'string' && sold.startsWith(this.#day)) this.#saleBasis.addTo(name ?? OTHER, amount);
    if (dayIn(refund.refund_at) !== null) return;
    this.#withoutDay.addTo(name ?? OTHER, amount);
    if (this.#idsWithoutDay.length < MOST_IDS) this.#idsWithoutDay.push(integerText(refund.id));
  }

  figures(): DayRefunds {
    return { ...totalsOf(this.#refundBasis), saleBasis: totalsOf(this.#saleBasis) };
  }

  /** With a date such as `0000-00-00`. */
  get withoutDay(): RefundsWithoutDay {
    return { ...totalsOf(this.#withoutDay), ids: this.#idsWithoutDay };
  }
}
