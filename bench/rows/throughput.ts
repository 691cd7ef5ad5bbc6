import { median } from 'simple-statistics';
import { withService } from '../measure.ts';
import type { Measured } from '../measure.ts';
import { DAY, MAX_CONCURRENCY, seconds } from './row.ts';
import type { Row } from './row.ts';

const INVOICES = 60_000;
const TURNS = 5;

/** The share of the bare loop's throughput. The two take turns, so that a slow moment of the machine affects both. */
async function share(perPage: number): Promise<Row> {
  const options = { invoices: INVOICES, perPage, latency: 0, day: DAY, maxConcurrency: MAX_CONCURRENCY };
  return withService(options, async (service) => {
    await service.measure('bare');
    const turns: { bare: Measured; daybook: Measured }[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      turns.push({ bare: await service.measure('bare'), daybook: await service.measure('daybook') });
    }
    const of = (pick: (turn: (typeof turns)[number]) => number) => median(turns.map(pick));
    return {
      measured: `share of the bare loop's throughput, 60,000 invoices, ${perPage} a page`,
      ratio: of(({ bare, daybook }) => bare.milliseconds / daybook.milliseconds),
      bound: { atLeast: 1 },
      detail:
        `${seconds(of(({ bare }) => bare.milliseconds))} and ${seconds(of(({ daybook }) => daybook.milliseconds))}` +
        `; processor ${seconds(of(({ bare }) => bare.cpu))} and ${seconds(of(({ daybook }) => daybook.cpu))}` +
        `; median of ${TURNS} turns`,
    };
  });
}

export async function throughput(): Promise<Row[]> {
  return [await share(15), await share(100)];
}
