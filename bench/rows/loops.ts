import { median } from 'simple-statistics';
import { FUNCTION_HEAP, withService } from '../measure.ts';
import type { Measured } from '../measure.ts';
import type { Way } from '../ways/index.ts';
import { seconds } from '../table.ts';
import type { Row } from '../table.ts';
import { MAX_CONCURRENCY } from '../days.ts';

const INVOICES = 20_400;
const TURNS = 5;

interface Loop {
  way: Way;
  name: string;
  /** What is reached now and a tenth of room, by the invoices on a page. */
  atMost: Record<number, number>;
}

/** What Daybook is held against. */
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
