import { dayAt, localTime } from '../day/business-day.ts';
import type { Day } from '../day/business-day.ts';
import type { Members } from '../json/exact-json.ts';
import { parseAmount } from '../money/money.ts';
import type { Thousandths } from '../money/money.ts';
import type { Invoice } from '../rows/contract-records.ts';
import { invoiceState } from './invoice-state-totals.ts';
import type { InvoiceStatusNames } from './invoice-state-totals.ts';
import { momentIn, paidOn, paymentDay } from './outcome-tally.ts';
import type { PaymentBounds } from './outcome-tally.ts';

const QUARTERS = 24 * 4;
const TIME_AT_END = /[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?$/;

/** In which quarter of an hour, from 0 at midnight, a time is, and when that began. @param time `HH:MM` */
function quarterOf(time: string): { quarter: number; time: string } {
  const [hours = '', minutes = ''] = time.split(':');
  const part = Math.floor(Number(minutes) / 15);
  return { quarter: Number(hours) * 4 + part, time: `${hours}:${['00', '15', '30', '45'][part]}` };
}

/** The last quarter of an hour that is over, by the clock of the zone. @param now milliseconds UTC */
export function lastQuarter(now: number, timeZone: string): { quarter: number; time: string } {
  return quarterOf(localTime(new Date(now).toISOString(), timeZone).slice(11));
}

/** Adds up what was paid of a day's invoices on the day itself, by the time of the payment. */
export class PaidByQuarter {
  readonly #names: InvoiceStatusNames;
  readonly #bounds: PaymentBounds;
  readonly #paid = Array.from({ length: QUARTERS }, () => 0n);
  #isKnown = true;

  /** @param readAt milliseconds UTC */
  constructor(day: Day, readAt: number, timeZone: string, names: InvoiceStatusNames) {
    this.#names = names;
    this.#bounds = { timeZone, from: day, until: dayAt(readAt, timeZone) };
  }

  add(invoice: Pick<Invoice, 'invoice_status' | 'amount'> & Members): void {
    if (invoiceState(this.#names, invoice.invoice_status) !== 'paid') return;
    const day = paymentDay(invoice, this.#bounds);
    const quarter = this.#quarterOf(paidOn(invoice));
    if (day === null || quarter === undefined) this.#isKnown = false;
    else if (day === this.#bounds.from)
      this.#paid[quarter] = (this.#paid[quarter] ?? 0n) + parseAmount(invoice.amount);
  }

  /**
   * What was paid before each quarter of an hour began, from midnight on. `null` when one payment has no time that
   * can be read: a smaller sum would look like a bad day.
   */
  before(): Thousandths[] | null {
    if (!this.#isKnown) return null;
    let sum = 0n;
    return this.#paid.map((paid) => (sum += paid) - paid);
  }

  #quarterOf(said: string): number | undefined {
    const moment = momentIn(said);
    if (typeof moment === 'number') return lastQuarter(moment, this.#bounds.timeZone).quarter;
    const time = TIME_AT_END.exec(said)?.[1];
    return time === undefined ? undefined : quarterOf(time).quarter;
  }
}
