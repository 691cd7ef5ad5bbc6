import { FUNCTION_HEAP, withService } from '../measure.ts';
import { DAY, MAX_CONCURRENCY, megabytes, seconds } from './row.ts';
import type { Row } from './row.ts';

const SIZES = [10_000, 100_000, 1_000_000];
/** The limit for a function of 512 MB. */
const MOST_BYTES = 256 * 1_048_576;

/** Peak memory of whole reports, as a share of the limit. */
export async function memory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const invoices of SIZES) {
    const options = { invoices, perPage: 100, latency: 0, day: DAY, maxConcurrency: MAX_CONCURRENCY };
    const { peak, milliseconds } = await withService(options, (service) =>
      service.measure('report', { execArgv: FUNCTION_HEAP }),
    );
    rows.push({
      measured: `peak memory of a report of ${invoices.toLocaleString('en')} invoices, as a share of 256 MB`,
      ratio: peak / MOST_BYTES,
      bound: { atMost: 1 },
      detail: `${megabytes(peak)}, ${seconds(milliseconds)}; ${FUNCTION_HEAP.join(' ')}`,
    });
  }
  return rows;
}
