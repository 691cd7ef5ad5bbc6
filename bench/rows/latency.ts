import { withService } from '../measure.ts';
import { DAY, MAX_CONCURRENCY, seconds } from './row.ts';
import type { Row } from './row.ts';

const PER_PAGE = 15;

/** Fewer pages for long latencies, so that the loop that waits for each page ends within a minute. */
const CASES = [
  { latency: 0, pages: 1_200, bound: undefined },
  { latency: 20, pages: 1_200, bound: { atLeast: 10 } },
  { latency: 40, pages: 1_200, bound: { atLeast: 12 } },
  { latency: 100, pages: 600, bound: { atLeast: 12 } },
];

/** The speed relative to one page after another. */
export async function latency(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { latency, pages, bound } of CASES) {
    const options = { invoices: pages * PER_PAGE, perPage: PER_PAGE, latency, day: DAY };
    rows.push(
      await withService({ ...options, maxConcurrency: MAX_CONCURRENCY }, async (service) => {
        await service.measure('bare');
        const daybook = await service.measure('daybook');
        const sequential = await service.measure('sequential');
        return {
          measured: `times as fast as page after page, ${latency} ms a request, ${pages} pages`,
          ratio: sequential.milliseconds / daybook.milliseconds,
          bound,
          detail: `${seconds(sequential.milliseconds)} and ${seconds(daybook.milliseconds)}; at most ${MAX_CONCURRENCY} in flight`,
        };
      }),
    );
  }
  return rows;
}
