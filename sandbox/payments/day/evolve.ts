import { thousandths } from './amounts.ts';
import { addDays, datetime, DAY_SECONDS } from './calendar.ts';
import { INVOICE_STATUS, paidTransaction } from './invoice-record.ts';
import type { Random } from './random.ts';
import { approval, REFUND_STATUS } from './refund-record.ts';
import type { RecordChange } from './record-text.ts';

/** A moment in the three days after `day`, as a datetime. */
function later(random: Random, day: string): string {
  return datetime(addDays(day, 1 + random.below(3)), random.below(DAY_SECONDS));
}

/** What happens to an invoice after its day, if anything: it is paid, or a person looks at it. */
export function invoiceEvent(
  random: Random,
  day: string,
  invoice: Record<string, unknown>,
): RecordChange | undefined {
  const visited = typeof invoice['visited_count'] === 'number' ? invoice['visited_count'] : 0;
  const { amount } = invoice;
  if (
    invoice['invoice_status'] === INVOICE_STATUS.unpaid &&
    typeof amount === 'string' &&
    random.chance(30)
  ) {
    const paidOn = later(random, day);
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
): RecordChange | undefined {
  const amount = thousandths(refund['amount']);
  const total = thousandths(refund['total_transaction_amount']);
  const pending = refund['status'] === REFUND_STATUS.pending;
  if (!pending || amount === undefined || total === undefined || !random.chance(60)) return undefined;
  return { ...approval(amount, total), updated_at: later(random, day) };
}
