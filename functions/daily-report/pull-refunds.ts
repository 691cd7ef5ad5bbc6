import type { RefundListReading } from '../shared/core/balance.ts';
import type { Day } from '../shared/core/business-day.ts';
import { formatAmount, parseAmount } from '../shared/core/money.ts';
import type { RefundDayTotals } from '../shared/core/refund-totals.ts';
import type { PaymentsClient } from '../shared/payments/client.ts';
import { inOrder } from '../shared/payments/in-order.ts';
import { readRefund } from '../shared/payments/refund-details.ts';
import { refundListPages } from '../shared/payments/refund-list.ts';
import type { TableSpool } from './table-spool.ts';

/** The refunds of one pull, as read. */
export interface PulledRefunds {
  list: RefundListReading | null;
  missingIds: string[];
}

/** How many refunds go to the spool at once. */
const BATCH = 100;

/** Ids in the order of their numbers, each once. */
function sorted(ids: Iterable<string>): string[] {
  const canonical = [...ids].map((id) => id.replace(/^0+(?=\d)/, ''));
  return [...new Set(canonical)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

async function readList(
  client: PaymentsClient,
  day: Day,
): Promise<{ ids: string[]; list: RefundListReading }> {
  const ids: string[] = [];
  const list: RefundListReading = { statedCount: null, statedAmount: null, listed: 0, listedAmount: null };
  let sum: bigint | null = 0n;
  let isFirst = true;
  for await (const { stated, refunds } of refundListPages(client, day)) {
    if (isFirst) {
      list.statedCount = stated.count;
      list.statedAmount = stated.amount;
      isFirst = false;
    }
    for (const { id, amount } of refunds) {
      ids.push(id);
      sum = sum === null || amount === null ? null : sum + parseAmount(amount);
    }
  }
  return {
    ids,
    list: { ...list, listed: ids.length, listedAmount: sum === null ? null : formatAmount(sum) },
  };
}

/**
 * Reads the details of every refund that is known of, in the order of their ids. The contract reads one refund by id
 * and lists none, so ids come from the published list, where the merchant's `source` says so, and from `knownIds`.
 *
 * @param knownIds from the watch list, the event and the day's newest revision
 */
export async function pullRefunds(
  client: PaymentsClient,
  origin: { merchantCode: string; day: Day },
  source: 'list' | 'watchlist' | 'both',
  knownIds: Iterable<string>,
  spool: TableSpool,
  totals: RefundDayTotals,
): Promise<PulledRefunds> {
  const listed = source === 'watchlist' ? null : await readList(client, origin.day);
  const missingIds: string[] = [];
  let batch: Record<string, unknown>[] = [];
  const write = async () => {
    await spool.add(batch, { ...origin, queryType: null });
    batch = [];
  };
  function* tasks() {
    for (const id of sorted([...knownIds, ...(listed?.ids ?? [])])) {
      yield async () => ({ id, refund: await readRefund(client, id) });
    }
  }
  for await (const { id, refund } of inOrder(tasks(), client.maxConcurrency)) {
    if (refund === undefined) {
      missingIds.push(id);
      continue;
    }
    totals.add(refund);
    batch.push(refund);
    if (batch.length >= BATCH) await write();
  }
  await write();
  return { list: listed?.list ?? null, missingIds };
}
