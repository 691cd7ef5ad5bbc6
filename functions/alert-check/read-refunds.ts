import type { Day } from '#domain/day/business-day.ts';
import type { Readings } from '#domain/alerts/readings.ts';
import { parseAmount, parseSum } from '#domain/money/money.ts';
import { RefundDayTotals } from '#domain/figures/refund-totals.ts';
import type { MerchantSettings } from '#domain/registry/registry-schema.ts';
import type { PaymentsClient } from '#payments/client.ts';
import { readDayRefunds } from '#payments/refunds/day-refunds.ts';

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
  { refunds, balance }: Pick<MerchantSettings, 'refunds' | 'balance'>,
  knownIds: readonly string[],
): Promise<Readings['refunds']> {
  const totals = new RefundDayTotals(day, refunds.statuses);
  let largest = 0n;
  const read = await readDayRefunds(client, day, refunds.source, knownIds, (refund) => {
    totals.add(refund);
    const amount = parseAmount(refund.amount);
    if (refund.refund_at === day && amount > largest) largest = amount;
  });
  const { ignore } = balance;
  const isShort = read.isListCut && !ignore.includes('refundListCount');
  const isUnclear = !read.repeatedFields.isEmpty && !ignore.includes('repeatedFields');
  if (isShort || read.isListedMissing || isUnclear) return null;
  const { count, total } = totals.figures();
  return { count, total: parseSum(total), largest };
}
