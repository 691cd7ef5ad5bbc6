import { median } from 'simple-statistics';
import { FUNCTION_HEAP, withService } from '../measure.ts';
import type { Measured, Way } from '../measure.ts';
import { DAYS_A_READING } from '../small-days.ts';
import { DAY, MAX_CONCURRENCY, milliseconds } from './row.ts';
import type { Row } from './row.ts';

const INVOICES = 23;
const TURNS = 5;

interface Compared {
  way: Way;
  bare: Way;
  measured: string;
  /** What is reached now and a tenth of room. */
  atMost: number;
}

const COMPARED: Compared[] = [
  {
    way: 'smallReports',
    bare: 'bareReports',
    measured: `processor time of a warm report of ${INVOICES} invoices, mail included, as a multiple of the bare loop and 14 bare calls`,
    atMost: 1.6,
  },
  {
    way: 'unchangedDays',
    bare: 'bareUnchanged',
    measured: `processor time of a warm look at ${INVOICES} invoices that have not changed, as a multiple of the bare loop and 5 bare calls`,
    atMost: 1.15,
  },
];

/** A turn has a service of its own, because a day is reported once. */
async function turn({ way, bare }: Compared): Promise<{ report: Measured; bare: Measured }> {
  const options = {
    invoices: INVOICES,
    days: 2 * DAYS_A_READING,
    perPage: 15,
    latency: 0,
    day: DAY,
    maxConcurrency: MAX_CONCURRENCY,
  };
  const how = { warmUp: true, execArgv: FUNCTION_HEAP };
  return withService(options, async (service) => ({
    bare: await service.measure(bare, how),
    report: await service.measure(way, how),
  }));
}

/** What a function costs for a small merchant when it is warm. Most invocations are such. */
export async function small(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const compared of COMPARED) {
    const ratios: number[] = [];
    const times: [number, number][] = [];
    for (let count = 0; count < TURNS; count += 1) {
      const { report, bare } = await turn(compared);
      const [one, other] = [report.cpu / report.rows, bare.cpu / bare.rows];
      ratios.push(one / other);
      times.push([one, other]);
    }
    const [one, other] = [median(times.map(([time]) => time)), median(times.map(([, time]) => time))];
    rows.push({
      measured: compared.measured,
      ratio: median(ratios),
      bound: { atMost: compared.atMost },
      detail: `${milliseconds(one)} and ${milliseconds(other)}; median of ${TURNS} turns of ${DAYS_A_READING} days`,
    });
  }
  return rows;
}
