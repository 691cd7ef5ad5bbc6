import { median } from 'simple-statistics';
import { FUNCTION_HEAP, withService } from '../measure.ts';
import type { Measured, Way } from '../measure.ts';
import { DAY, MAX_CONCURRENCY, seconds } from './row.ts';
import type { Row } from './row.ts';

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
  const options = { invoices: INVOICES, perPage, latency: 0, day: DAY, maxConcurrency: MAX_CONCURRENCY };
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
