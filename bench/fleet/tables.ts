import type { FleetFigures } from './assess.ts';
import { LOOKBACK_DAYS } from './assess.ts';
import { totalOf } from '#bin/daybook/cost/model/cost.ts';
import { WINDOW } from '#bin/daybook/cost/model/duration.ts';
import { SPOOL, TIME, limits } from './cost/limits.ts';
import type { InvoiceCosts } from './cost/limits.ts';
import type { Comparison, LargeDay } from './probe.ts';
import type { Settings } from './settings.ts';
import type { Table } from './table.ts';

const numbers = new Intl.NumberFormat('en-US');
const MEBIBYTE = 1_048_576;
/** Milliseconds. */
const LATENCIES = [0, 20, 40, 100];

function count(value: number): string {
  return numbers.format(Math.round(value));
}

function seconds(milliseconds: number): string {
  const value = milliseconds / 1_000;
  if (value >= 600) return `${(value / 60).toFixed(0)} min`;
  return value >= 100 ? `${value.toFixed(0)} s` : `${value.toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${count(bytes / MEBIBYTE)} MB`;
}

function dollars(value: number): string {
  return value < 1 ? value.toFixed(4) : value.toFixed(2);
}

function times(from: number, to: number): string {
  return from === 0 ? '' : `×${(to / from).toFixed(1)}`;
}

/** What each size of fleet needs, and how that grows. */
export function growthTable(fleets: readonly FleetFigures[], settings: Settings): Table {
  const { concurrency, latency, memory, workers } = settings;
  const row = (
    what: string,
    amount: (figures: FleetFigures) => number,
    text: (value: number) => string,
  ): string[] => {
    const values = fleets.map(amount);
    return [
      what,
      ...values.map(text),
      ...values.slice(1).map((value, index) => times(values[index] ?? 0, value)),
    ];
  };
  return {
    title: 'A day of the fleet',
    head: [
      'merchants',
      ...fleets.map(({ merchants }) => count(merchants)),
      ...fleets
        .slice(1)
        .map(({ merchants }, index) => `${count(fleets[index]?.merchants ?? 0)} → ${count(merchants)}`),
    ],
    rows: [
      row('invoices of the day', ({ invoices }) => invoices, count),
      row('largest merchant', ({ largest }) => largest, count),
      row('requests to the service, reports', ({ requests }) => requests, count),
      row('… with lookback', ({ requestsWithLookback }) => requestsWithLookback, count),
      row('calls of AWS, reports', ({ awsCalls }) => awsCalls, count),
      row('CPU of the reports (measured)', ({ cpu }) => cpu, seconds),
      row(`this machine, ${workers} workers (measured)`, ({ wall }) => wall, seconds),
      row('peak memory of a worker (measured)', ({ peak }) => peak, megabytes),
      row('CPU of plan (measured)', ({ plan }) => plan?.cpu ?? 0, seconds),
      row('peak memory of plan (measured)', ({ plan }) => plan?.peak ?? 0, megabytes),
      row('total time in Lambda, reports', ({ reportsOnly }) => reportsOnly.total, seconds),
      row('… with lookback', ({ withLookback }) => withLookback.total, seconds),
      row('… longest merchant', ({ withLookback }) => withLookback.longest, seconds),
      row('… places in use, %', ({ withLookback }) => withLookback.busy * 100, count),
      row('children of one merchant', ({ children }) => children.use.own, count),
      row('… in the larger function', ({ children }) => children.large, count),
      row('children that merchants share', ({ children }) => children.use.shared, count),
      row('cost a day, USD', ({ cost }) => totalOf(cost), dollars),
      row('… a merchant', ({ cost, merchants }) => totalOf(cost) / merchants, dollars),
    ],
    notes: [
      `Lambda: ${concurrency} merchants at the same time, ${memory} MB, ${latency} ms for a request to the service, ` +
        `${LOOKBACK_DAYS} unchanged lookback days.`,
    ],
  };
}

/** The duration of the whole day, by the number of merchants at the same time. */
export function timeTable(
  merchants: number,
  concurrencies: readonly number[],
  total: (concurrency: number, latency: number) => number,
): Table {
  return {
    title: `Total time in Lambda, ${count(merchants)} merchants with lookback`,
    head: ['at the same time', ...LATENCIES.map((latency) => `${latency} ms`)],
    rows: concurrencies.map((concurrency) => [
      count(concurrency),
      ...LATENCIES.map((latency) => seconds(total(concurrency, latency))),
    ]),
    notes: [],
  };
}

/** The bill, line by line. */
export function costTable(fleets: readonly FleetFigures[], asOf: string): Table {
  const lines = fleets.at(-1)?.cost ?? [];
  return {
    title: 'What a day costs, USD',
    head: ['merchants', ...fleets.map(({ merchants }) => count(merchants))],
    rows: [
      ...lines.map(({ what }, index) => [
        what,
        ...fleets.map(({ cost }) => (cost[index]?.dollars ?? 0).toFixed(4)),
      ]),
      ['together', ...fleets.map(({ cost }) => totalOf(cost).toFixed(4))],
      ['30 days', ...fleets.map(({ cost }) => (totalOf(cost) * 30).toFixed(2))],
    ],
    notes: [`List prices of ${asOf}, without free tiers; without alert checks, the watch and queries.`],
  };
}

export function comparisonTable(comparisons: readonly Comparison[]): Table {
  return {
    title: 'The model and reports with real waits',
    head: ['invoices', 'service', 'AWS', 'CPU of', 'predicted', 'measured', 'measured / predicted'],
    rows: comparisons.map((one) => [
      count(one.invoices),
      `${one.latency} ms`,
      `${one.awsLatency} ms`,
      `${count(one.memory)} MB`,
      seconds(one.predicted),
      seconds(one.measured),
      (one.measured / one.predicted).toFixed(2),
    ]),
    notes: [],
  };
}

/** The large days, and the speed at which they were read. */
export function largeDayTable(large: readonly LargeDay[], costs: InvoiceCosts): Table {
  return {
    title: 'Large days, read whole',
    head: [
      'invoices',
      'a page',
      'latency',
      'CPU of',
      'requests',
      'wall',
      'CPU',
      'peak',
      'on /tmp',
      'invoices/s',
      `in ${TIME / 1_000} s`,
      'computed',
    ],
    rows: large.map((day) => {
      const rate = day.invoices / (day.wall / 1_000);
      const { by } = limits(costs, { ...day, window: WINDOW });
      return [
        count(day.invoices),
        count(day.perPage),
        `${day.latency} ms`,
        `${count(day.memory)} MB`,
        count(day.requests),
        seconds(day.wall),
        seconds(day.cpu),
        megabytes(day.peak),
        megabytes(day.dataBytes),
        count(rate),
        count((rate * TIME) / 1_000),
        count(Math.min(by.CPU, by.latency)),
      ];
    }),
    notes: [
      `"in ${TIME / 1_000} s" is the measured rate, extrapolated; "computed" is from CPU and latency. Neither includes the limits of /tmp and memory. ` +
        'If the function has a whole core, sandboxes on the same cores slow it down.',
    ],
  };
}

const PAGES = [15, 100];
const MEMORIES = [512, 1_024, 1_769];

/** How many invoices per day one function can read, and which limit comes first. */
export function limitTable(costs: InvoiceCosts): Table {
  const places = MEMORIES.flatMap((memory) => PAGES.map((perPage) => ({ memory, perPage })));
  return {
    title: 'Invoices a day in 15 minutes, and the first limit',
    head: [
      'memory',
      'a page',
      ...LATENCIES.map((latency) => `${latency} ms`),
      'by CPU',
      'by /tmp',
      'by memory',
    ],
    rows: places.map((place) => {
      const at = (latency: number) => limits(costs, { ...place, latency, window: WINDOW });
      const { by } = at(0);
      const most = (value: number) => (Number.isFinite(value) ? count(value) : '–');
      return [
        `${count(place.memory)} MB`,
        count(place.perPage),
        ...LATENCIES.map(at).map(({ invoices, first }) => `${count(invoices)} (${first})`),
        most(by.CPU),
        most(by['/tmp']),
        most(by.memory),
      ];
    }),
    notes: [
      `An invoice: ${(costs.cpu * 1_000).toFixed(0)} µs of CPU, ${(costs.page * 1_000).toFixed(0)} µs more for each page, ` +
        `${costs.spool.toFixed(0)} bytes on /tmp (${count(SPOOL / MEBIBYTE)} MiB), ${costs.memory.toFixed(0)} bytes of memory ` +
        `above ${megabytes(costs.memoryBase)}; ${costs.refunds} refunds, one request each. Memory is extrapolated from a process after a small and after a ` +
        'large day. Memory that was not yet returned counts as needed.',
    ],
  };
}
