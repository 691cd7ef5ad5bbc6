import { median } from 'simple-statistics';
import { FUNCTION_HEAP, withService } from '../measure.ts';
import type { Measured } from '../measure.ts';
import { megabytes, seconds, milliseconds } from '../table.ts';
import type { Row } from '../table.ts';
import type { Way } from '../ways/index.ts';
import { DAYS_A_READING } from '../days.ts';

const SIZES = [10_000, 100_000, 1_000_000];
/** The limit for a function of 512 MB. */
const MOST_BYTES = 256 * 1_048_576;

/** Peak memory of whole reports, as a share of the limit. */
export async function memory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const invoices of SIZES) {
    const options = { invoices, perPage: 100 };
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

const SMALL_DAY = 23;
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
    measured: `processor time of a warm report of ${SMALL_DAY} invoices, mail included, as a multiple of the bare loop and 14 bare calls`,
    atMost: 1.6,
  },
  {
    way: 'unchangedDays',
    bare: 'bareUnchanged',
    measured: `processor time of a warm look at ${SMALL_DAY} invoices that have not changed, as a multiple of the bare loop and 5 bare calls`,
    atMost: 1.15,
  },
];

/** A turn has a service of its own, because a day is reported once. */
async function turn({ way, bare }: Compared): Promise<{ report: Measured; bare: Measured }> {
  const options = {
    invoices: SMALL_DAY,
    days: 2 * DAYS_A_READING,
    perPage: 15,
    latency: 0,
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
