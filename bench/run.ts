import { parseArgs } from 'node:util';
import { FUNCTION_HEAP, readDay, withService } from './measure.ts';
import type { Measured, Way } from './measure.ts';

const DAY = '2026-11-20';
const MAX_CONCURRENCY = 16;

interface Row {
  measured: string;
  ratio: number;
  bound: string;
  holds: boolean;
  detail: string;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function seconds(measured: number): string {
  return `${(measured / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

/** Share of the bare loop's throughput. Turn by turn, so that a slow moment of the machine strikes both. */
async function throughput(perPage: number): Promise<Row> {
  const options = { invoices: 60_000, perPage, latency: 0, day: DAY };
  return withService(options, async (service) => {
    const read = (way: Way, warmUp: boolean) =>
      readDay({ ...service, way, day: DAY, maxConcurrency: MAX_CONCURRENCY, warmUp });
    await read('bare', false);
    const turns: { bare: Measured; daybook: Measured }[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      turns.push({ bare: await read('bare', false), daybook: await read('daybook', false) });
    }
    const ratio = median(turns.map(({ bare, daybook }) => bare.milliseconds / daybook.milliseconds));
    const bare = seconds(median(turns.map((turn) => turn.bare.milliseconds)));
    const daybook = seconds(median(turns.map((turn) => turn.daybook.milliseconds)));
    return {
      measured: `throughput of 60,000 invoices, ${perPage} a page, as a share of the bare loop's`,
      ratio,
      bound: '≥ 0.40',
      holds: ratio >= 0.4,
      detail: `bare ${bare}, daybook ${daybook}; median of 3 turns`,
    };
  });
}

/** Peak memory at 60,000 over that at 10,000, both under a 512 MB function's heap. */
async function memory(): Promise<Row> {
  const peaks: number[] = [];
  for (const invoices of [10_000, 60_000]) {
    const measured = await withService({ invoices, perPage: 15, latency: 0, day: DAY }, (service) =>
      readDay(
        { ...service, way: 'daybook', day: DAY, maxConcurrency: MAX_CONCURRENCY, warmUp: false },
        FUNCTION_HEAP,
      ),
    );
    peaks.push(measured.peak);
  }
  const [small = Number.NaN, large = Number.NaN] = peaks;
  return {
    measured: 'peak memory at 60,000 invoices over that at 10,000',
    ratio: large / small,
    bound: '≤ 1.35',
    holds: large / small <= 1.35,
    detail: `${megabytes(small)}, ${megabytes(large)}; ${FUNCTION_HEAP.join(' ')}`,
  };
}

/** How many times as fast as one page after another, where each request takes 40 ms. */
async function latency(): Promise<Row> {
  const options = { invoices: 1_200 * 15, perPage: 15, latency: 40, day: DAY };
  return withService(options, async (service) => {
    const task = { ...service, day: DAY, maxConcurrency: MAX_CONCURRENCY, warmUp: false };
    const daybook = await readDay({ ...task, way: 'daybook' });
    const sequential = await readDay({ ...task, way: 'sequential' });
    const ratio = sequential.milliseconds / daybook.milliseconds;
    return {
      measured: 'times as fast as the sequential loop at 40 ms a request, 1,200 pages',
      ratio,
      bound: '≥ 8.00',
      holds: ratio >= 8,
      detail: `sequential ${seconds(sequential.milliseconds)}, daybook ${seconds(daybook.milliseconds)}; maxConcurrency ${MAX_CONCURRENCY}`,
    };
  });
}

const HELP = `Usage: npm run bench [-- --only NAME]

Measures a pull against a loopback service and prints ratios of this one run.
  --only NAME   one of: ${['throughput', 'memory', 'latency'].join(', ')}
  --help        this text`;

const MEASUREMENTS: Record<string, () => Promise<Row[]>> = {
  throughput: async () => [await throughput(15), await throughput(100)],
  memory: async () => [await memory()],
  latency: async () => [await latency()],
};

const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help === true) {
  console.log(HELP);
} else {
  const chosen = Object.entries(MEASUREMENTS).filter(
    ([name]) => values.only === undefined || name === values.only,
  );
  if (chosen.length === 0) {
    console.error(`bench: --only takes one of ${Object.keys(MEASUREMENTS).join(', ')}`);
    process.exitCode = 2;
  }
  for (const [name, measure] of chosen) {
    console.log(`measuring ${name} …`);
    for (const { measured, ratio, bound, holds, detail } of await measure()) {
      console.log(
        `  ${measured}: ${ratio.toFixed(2)} (${bound}: ${holds ? 'holds' : 'DOES NOT HOLD'})\n    ${detail}`,
      );
      if (!holds) process.exitCode = 1;
    }
  }
}
