import { median } from 'simple-statistics';
import { FUNCTION_HEAP, withService, type Measured } from '../measure.ts';
import type { Way } from '../reader.worker.ts';
import { seconds, megabytes, milliseconds, type Row } from '../table.ts';
import { MAX_CONCURRENCY, DAYS_A_READING } from '../days.ts';

const INVOICES = 20_400;
const TURNS = 5;

interface Loop {
  way: Way;
  name: string;
  /** What is reached now and a tenth of room, by the invoices on a page. */
  atMost: Record<number, number>;
}

const LOOPS: Loop[] = [
  { way: 'tuned', name: 'tuned loop, JSON lines and CSV', atMost: { 15: 0.85, 100: 0.9 } },
  { way: 'tunedHttp', name: 'same loop with node:http', atMost: {} },
  { way: 'bare', name: 'bare loop, JSON lines only', atMost: { 15: 1.15, 100: 1.2 } },
];

function boundOf(atMost: number | undefined): Row['bound'] {
  return atMost === undefined ? undefined : { atMost };
}

/** Processor time as multiples of that of loops which people write by hand. All take turns in one run, each in a process of its own. */
async function multiples(perPage: number): Promise<Row[]> {
  const options = { invoices: INVOICES, perPage };
  return withService(options, async (service) => {
    const ways: Way[] = ['daybook', ...LOOPS.map(({ way }) => way)];
    const measured = new Map<Way, Measured[]>(ways.map((way) => [way, []]));
    await service.measure('bare');
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const way of ways) {
        const one = await service.measure(way, { execArgv: FUNCTION_HEAP });
        if (one.rows !== INVOICES) throw new Error(`${way} read ${one.rows} rows, not ${INVOICES}`);
        measured.get(way)?.push(one);
      }
    }
    const cpu = (way: Way) => (measured.get(way) ?? []).map((one) => one.cpu);
    return LOOPS.map(({ way, name, atMost }) => ({
      measured: `processor time, as a multiple of the ${name}, ${perPage} a page`,
      ratio: median(cpu('daybook').map((daybook, turn) => daybook / (cpu(way)[turn] ?? NaN))),
      bound: boundOf(atMost[perPage]),
      detail: `${seconds(median(cpu('daybook')))} and ${seconds(median(cpu(way)))}; median of ${TURNS} turns`,
    }));
  });
}

export async function loops(): Promise<Row[]> {
  return [...(await multiples(15)), ...(await multiples(100))];
}

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
    const options = { invoices: pages * PER_PAGE, perPage: PER_PAGE, latency };
    rows.push(
      await withService(options, async (service) => {
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
const SMALL_TURNS = 5;

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
    for (let count = 0; count < SMALL_TURNS; count += 1) {
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
      detail: `${milliseconds(one)} and ${milliseconds(other)}; median of ${SMALL_TURNS} turns of ${DAYS_A_READING} days`,
    });
  }
  return rows;
}
