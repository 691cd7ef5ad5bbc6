import { thousandths } from './amounts.ts';
import { addDays, datetime, dayNumber, DAY_SECONDS } from './calendar.ts';
import { INVOICE_STATUS, paidTransaction } from './invoice-record.ts';
import type { Random } from './random.ts';
import { approval, REFUND_STATUS } from './refund-record.ts';
import type { RecordChange } from './record-text.ts';

/** Seconds after a day in which something becomes of it. @param until a datetime */
function secondsAfter(day: string, until: string | undefined): number {
  const longest = 3 * DAY_SECONDS;
  if (until === undefined) return longest;
  const [date = day, time = ''] = until.split(' ');
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const days = dayNumber(date) - dayNumber(day) - 1;
  return Math.min(longest, Math.max(1, days * DAY_SECONDS + (hours * 60 + minutes) * 60 + seconds));
}

/** A moment in the three days after `day`, as a datetime, and not after `until`. */
function later(random: Random, day: string, until: string | undefined): string {
  const second = (random.below(3) * DAY_SECONDS + random.below(DAY_SECONDS)) % secondsAfter(day, until);
  return datetime(addDays(day, 1 + Math.floor(second / DAY_SECONDS)), second % DAY_SECONDS);
}

/** What happens to an invoice after its day, if anything: it is paid, or a person looks at it. */
export function invoiceEvent(
  random: Random,
  day: string,
  invoice: Record<string, unknown>,
  until?: string,
): RecordChange | undefined {
  const visited = typeof invoice['visited_count'] === 'number' ? invoice['visited_count'] : 0;
  const { amount } = invoice;
  if (
    invoice['invoice_status'] === INVOICE_STATUS.unpaid &&
    typeof amount === 'string' &&
    random.chance(30)
  ) {
    const paidOn = later(random, day, until);
    return {
      invoice_status: INVOICE_STATUS.paid,
      visited_count: visited + 1,
      updated_at: paidOn,
      transaction: paidTransaction(random, amount, paidOn),
    };
  }
  return random.chance(10) ? { visited_count: visited + 1 + random.below(3) } : undefined;
}

/** What happens to a refund after its day, if anything: a pending one is approved. */
export function refundEvent(
  random: Random,
  day: string,
  refund: Record<string, unknown>,
  until?: string,
): RecordChange | undefined {
  const amount = thousandths(refund['amount']);
  const total = thousandths(refund['total_transaction_amount']);
  const pending = refund['status'] === REFUND_STATUS.pending;
  if (!pending || amount === undefined || total === undefined || !random.chance(60)) return undefined;
  return { ...approval(amount, total), updated_at: later(random, day, until) };
}
