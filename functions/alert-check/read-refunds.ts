import type { Day } from '#domain/day/business-day.ts';
import type { AlertItem } from '#domain/alerts/alert-item.ts';
import { byAmount, FirstItems, itemOf } from '#domain/alerts/behind.ts';
import type { Readings } from '#domain/alerts/readings.ts';
import { parseAmount, parseSum } from '#domain/money/money.ts';
import { RefundDayTotals } from '#domain/figures/refund-totals.ts';
import { redactedColumns } from '#domain/records/redaction.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { PaymentsClient } from '#payments/client.ts';
import { readDayRefunds } from '#payments/refunds/day-refunds.ts';

/** The figures of a day's refunds, and the largest of them for a mail. */
export interface RefundReadings {
  refunds: NonNullable<Readings['refunds']>;
  items: readonly AlertItem[];
}

/**
 * The refunds of a day by `refund_at` (docs/contract.md, 2.4 Refund record), counted as in the day's report,
 * and the largest refund.
 *
 * @param knownIds from the watch list and the day's newest revision
 * @returns `null` in two cases, unless the registry leaves the comparison out of the balance: refunds of the
 * service's own list are missing (a smaller sum would look as if all is well), or a refund has a field twice
 * (it is not known which value is right)
 */
export async function readRefunds(
  client: PaymentsClient,
  day: Day,
  {
    refunds,
    balance,
    redact,
    currency,
  }: Pick<MerchantSettings, 'refunds' | 'balance' | 'redact' | 'currency'>,
  knownIds: readonly string[],
): Promise<RefundReadings | null> {
  const totals = new RefundDayTotals(day, refunds.statuses);
  let largest = 0n;
  const first = new FirstItems(byAmount);
  const isReferenceShown = !redactedColumns(redact).has('order_reference_number');
  const read = await readDayRefunds(client, day, refunds.source, knownIds, (refund) => {
    totals.add(refund);
    const amount = parseAmount(refund.amount);
    if (refund['refund_at'] !== day) return;
    if (amount > largest) largest = amount;
    const { id, order_reference_number: reference } = refund;
    const source = { id, reference, amount: refund.amount, expiresOn: null, currency };
    first.add(itemOf(source, isReferenceShown));
  });
  const { ignore } = balance;
  const isShort = read.isListCut && !ignore.includes('refundListCount');
  const isUnclear = !read.repeatedFields.isEmpty && !ignore.includes('repeatedFields');
  if (isShort || read.isListedMissing || isUnclear) return null;
  const { count, total } = totals.figures();
  return { refunds: { count, total: parseSum(total), largest }, items: first.items() };
}
