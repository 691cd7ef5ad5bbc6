import type { Day } from '#domain/day/business-day.ts';
import type { Refund } from '#domain/records/refund.ts';
import type { PaymentsClient } from '#payments/client.ts';
import { readDayRefunds } from '#payments/refunds/day-refunds.ts';
import type { DayRefunds } from '#payments/refunds/day-refunds.ts';
import type { TableSpool } from './table-spool.ts';

/**
 * Reads the day's refunds into the spool, see {@link readDayRefunds} (docs/contract.md, 4.2 Refund details).
 *
 * @param knownIds from the watch list, the event and the day's newest revision
 * @param take gets each refund
 */
export async function pullRefunds(
  client: PaymentsClient,
  origin: { merchantCode: string; day: Day },
  source: 'list' | 'watchlist' | 'both',
  knownIds: Iterable<string>,
  spool: TableSpool,
  take: (refund: Refund) => void,
): Promise<DayRefunds> {
  return readDayRefunds(client, origin.day, source, knownIds, async (refund) => {
    take(refund);
    // One at a time: each of a hundred refunds may be as large as an answer can be.
    await spool.add([refund], { ...origin, queryType: null });
  });
}
