import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { endAtSignals } from '#bin/local/stop-signals.ts';
import { terminalOn } from '#bin/local/terminal/terminal.ts';
import { UsageError } from '#bin/local/terminal/usage-error.ts';
import { savedResults } from '../saved-results.ts';
import { assessFleet, invoiceCosts } from './assess.ts';
import { PRICES } from '#bin/daybook/cost/model/prices.ts';
import { compareWithModel, readLargeDay } from './probe.ts';
import type { LargeDay, Comparison } from './probe.ts';
import { monthTable } from './month/month-table.ts';
import { runGroups } from './month/run-group.ts';
import type { MeasuredGroup } from './month/run-group.ts';
import { runStatements } from './month/run-month.ts';
import type { StatementRun } from './month/run-month.ts';
import { runFleet } from './run-fleet.ts';
import type { FleetRun } from './run-fleet.ts';
import { USAGE, readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { fleetSizes } from './sizes.ts';
import { startStage } from './stage.ts';
import type { Stage } from './stage.ts';
import { asMarkdown, asText } from './table.ts';
import type { Table } from './table.ts';
import { comparisonTable, costTable, growthTable, largeDayTable, limitTable, timeTable } from './tables.ts';

const MEBIBYTE = 1_048_576;

/** What the pages of a group needed, at the speed of the function and with the latency of AWS. */
function groupTable(groups: readonly MeasuredGroup[]): Table {
  return {
    title: "A group's page (measured)",
    head: [
      'period',
      'merchants',
      'changed before',
      'CPU of',
      'AWS',
      'requests',
      'CPU',
      'wall',
      'peak',
      'page',
    ],
    rows: groups.map((one) => [
      one.period,
      one.merchants.toString(),
      one.corrected.toString(),
      `${one.memory} MB`,
      `${one.awsLatency} ms`,
      (one.aws.s3Get + one.aws.s3Put + one.aws.s3List).toString(),
      `${(one.cpu / 1_000).toFixed(1)} s`,
      `${(one.wall / 1_000).toFixed(1)} s`,
      `${(one.peak / MEBIBYTE).toFixed(0)} MB`,
      `${(one.bytes / MEBIBYTE).toFixed(1)} MB`,
    ]),
    notes: [],
  };
}

/** All measurements of a run, as `--json` writes them. */
interface Results {
  settings: Settings;
  /** ISO 8601, UTC. */
  at: string;
  machine: string;
  fleet: FleetRun;
  comparisons: Comparison[];
  largeDays: LargeDay[];
  /** Left out when no statements were made. */
  stated?: StatementRun | undefined;
  groups: MeasuredGroup[];
}

const STEPS = [100, 1_000, 10_000];
const PER_PAGE = 15;
const LARGE_PAGE = 100;
/** The service's latency while a large day is read. Milliseconds. */
const LARGE_LATENCY = 20;
const CONCURRENCIES = [10, 25, 50, 100, 200];
const TELL_EVERY = 10_000;

/** The fleet sizes of the tables: round numbers below the whole, and the whole. */
function stepsOf(merchants: number): number[] {
  return [...STEPS.filter((step) => step < merchants), merchants];
}

function say(text: string): void {
  console.error(text);
}

async function measure(settings: Settings): Promise<Results> {
  const { merchants, seed, workers, memory, large, latency } = settings;
  const sizes = fleetSizes(merchants, seed);
  const invoices = sizes.reduce((sum, size) => sum + size.invoices, 0);
  const largeDays: LargeDay[] = [];
  const began = performance.now();
  const elapsed = () => `${((performance.now() - began) / 1_000).toFixed(0)} s`;
  say(`${merchants} merchants with ${invoices} invoices, seed ${seed}, ${workers} workers`);
  const stage = await startStage(merchants, PER_PAGE);
  try {
    let told = began;
    const fleet = await runFleet(stage, {
      sizes,
      steps: stepsOf(merchants),
      workers,
      memory,
      progress: (done, read) => {
        if (performance.now() - told < TELL_EVERY) return;
        told = performance.now();
        say(`  ${done} merchants, ${read} invoices, ${elapsed()}`);
      },
    });
    say(`  ${merchants} merchants: every report sealed, balanced and mailed; ${elapsed()}`);
    const stated = settings.month === 0 ? undefined : await measureMonth(stage, settings);
    const thousands = Math.min(3_000, Math.max(100, Math.round(large / 10)));
    say(`reports with ${latency} ms latency for each answer …`);
    const comparisons = await compareWithModel(stage, { invoices: thousands, latency, memory });
    if (large > 0) {
      say(`a day of ${large} invoices, ${PER_PAGE} a page …`);
      const options = { invoices: large, perPage: PER_PAGE, latency: LARGE_LATENCY, memory };
      largeDays.push(await readLargeDay(stage, { ...options, throttled: false }));
      const half = Math.round(large / 2);
      say(`a day of ${half} invoices at the speed of ${memory} MB … ${elapsed()}`);
      largeDays.push(await readLargeDay(stage, { ...options, invoices: half, throttled: true }));
      say(`a day of ${Math.round(large / 2)} invoices, ${LARGE_PAGE} a page … ${elapsed()}`);
      largeDays.push(await readLargePages(settings));
    }
    const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
    if (settings.month > 0) say(`pages of a group of ${merchants} … ${elapsed()}`);
    const groups = settings.month === 0 ? [] : await runGroups(stage, { sizes, memory });
    say(`measured in ${elapsed()}`);
    return { settings, at: new Date().toISOString(), machine, fleet, comparisons, largeDays, stated, groups };
  } finally {
    await stage.close();
  }
}

/** The statements of the first merchants at a month's end. */
async function measureMonth(stage: Stage, settings: Settings): Promise<StatementRun> {
  const { merchants, seed, workers, memory, month } = settings;
  const sizes = fleetSizes(merchants, seed).slice(0, month);
  say(`statements of ${sizes.length} merchants …`);
  return runStatements(stage, { sizes, workers, memory });
}

/** Half of the large day's invoices. That is enough to separate the cost of a page from that of an invoice. */
async function readLargePages({ large, memory }: Settings): Promise<LargeDay> {
  const stage = await startStage(1, LARGE_PAGE);
  try {
    const invoices = Math.round(large / 2);
    const options = { invoices, perPage: LARGE_PAGE, latency: LARGE_LATENCY, memory, throttled: false };
    return await readLargeDay(stage, options);
  } finally {
    await stage.close();
  }
}

function show(results: Results, settings: Settings): void {
  const { fleet, comparisons, largeDays, at, machine } = results;
  const fleets = stepsOf(fleet.merchants).map((merchants) => assessFleet(fleet, merchants, settings));
  const costs = invoiceCosts(largeDays);
  const tables = [
    growthTable(fleets, settings),
    timeTable(fleet.merchants, CONCURRENCIES, (concurrency, latency) => {
      return assessFleet(fleet, fleet.merchants, { ...settings, concurrency, latency }).withLookback.total;
    }),
    costTable(fleets, `${PRICES.asOf}, ${PRICES.region}`),
    ...(results.stated === undefined ? [] : [monthTable(results.stated)]),
    ...(results.groups.length === 0 ? [] : [groupTable(results.groups)]),
    comparisonTable(comparisons),
    ...(costs === undefined ? [] : [largeDayTable(largeDays, costs), limitTable(costs)]),
  ];
  for (const table of tables) {
    console.log((settings.markdown ? asMarkdown(table) : asText(table)).join('\n'));
    console.log();
  }
  console.log(`Measured ${at.slice(0, 10)} on ${machine}.`);
}

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') console.log(USAGE.trimEnd());
  else if (settings.from === undefined) {
    endAtSignals(terminalOn(process.stdout, process.stderr));
    const results = await measure(settings);
    if (settings.json !== undefined) writeFileSync(settings.json, JSON.stringify(results));
    show(results, settings);
  } else {
    const results = savedResults(settings.from) as Results;
    show(results, { ...settings, workers: results.fleet.workers });
  }
} catch (error) {
  console.error(`bench:fleet: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
