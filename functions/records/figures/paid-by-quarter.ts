import { dayAt, localTime, type Day } from '../day/business-day.ts';
import type { Members } from '../json/exact-json.ts';
import { parseAmount, type Thousandths } from '../money/money.ts';
import type { Invoice } from '../rows/contract-records.ts';
import { invoiceState, type InvoiceStatusNames } from './invoice-state-totals.ts';
import { momentIn, paidOn, paymentDay } from './outcome-tally.ts';

const QUARTER = 15 * 60_000;
const QUARTERS = 24 * 4;
const TIME_AT_END = /[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?$/;

/** In which quarter of an hour, from 0 at midnight, a time is. @param time `HH:MM` */
function quarterOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 4 + Math.floor(minutes / 15);
}

/** The quarter of an hour that goes on, by the clock of the zone, and when it began. @param now milliseconds UTC */
export function lastQuarter(now: number, timeZone: string): { quarter: number; time: string } {
  // Zones differ by whole quarters of an hour.
  const time = localTime(new Date(now - (now % QUARTER)).toISOString(), timeZone).slice(11);
  return { quarter: quarterOf(time), time };
}

/** Adds up what was paid of a day's invoices on that day, by the time of payment. @param readAt milliseconds UTC */
export function paidByQuarter(day: Day, readAt: number, timeZone: string, names: InvoiceStatusNames) {
  const bounds = { timeZone, from: day, until: dayAt(readAt, timeZone) };
  const paid = Array.from({ length: QUARTERS }, () => 0n);
  let isKnown = true;
  return {
    add(invoice: Pick<Invoice, 'invoice_status' | 'amount'> & Members): void {
      if (invoiceState(names, invoice.invoice_status) !== 'paid') return;
      const paidDay = paymentDay(invoice, bounds);
      const said = paidOn(invoice);
      const moment = momentIn(said);
      const isMoment = typeof moment === 'number';
      const time = isMoment ? lastQuarter(moment, timeZone).time : TIME_AT_END.exec(said)?.[1];
      if (paidDay === null || time === undefined) isKnown = false;
      else if (paidDay === day)
        paid[quarterOf(time)] = (paid[quarterOf(time)] ?? 0n) + parseAmount(invoice.amount);
    },
    /**
     * What was paid before each quarter of an hour began, from midnight on. `null` when one payment has no time that
     * can be read: a smaller sum would look like a bad day.
     */
    before(): Thousandths[] | null {
      let sum = 0n;
      return isKnown ? paid.map((amount) => (sum += amount) - amount) : null;
    },
  };
}
