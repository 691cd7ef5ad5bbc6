import { median } from 'simple-statistics';
import { withService } from '../measure.ts';
import { DAY, MAX_CONCURRENCY, milliseconds } from './row.ts';
import type { Row } from './row.ts';

const INVOICES = 15_000;
const TURNS = 3;

/** The time to render one report and write it as MIME, as the number of invoices that the bare loop reads in that time. */
export async function mail(): Promise<Row[]> {
  const options = { invoices: INVOICES, perPage: 15, latency: 0, day: DAY, maxConcurrency: MAX_CONCURRENCY };
  return withService(options, async (service) => {
    await service.measure('bare');
    const turns: { mail: number; invoice: number }[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const bare = await service.measure('bare', { warmUp: true });
      const mails = await service.measure('mails');
      turns.push({ mail: mails.milliseconds / mails.rows, invoice: bare.milliseconds / bare.rows });
    }
    return [
      {
        measured: 'rendering and MIME of a report, as invoices that the bare loop reads in that time',
        ratio: median(turns.map(({ mail: one, invoice }) => one / invoice)),
        bound: { atMost: 200 },
        detail: `${milliseconds(median(turns.map(({ mail: one }) => one)))} a mail`,
      },
    ];
  });
}
