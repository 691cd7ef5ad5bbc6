import { availableParallelism } from 'node:os';
import { median } from 'simple-statistics';
import { endAtSignals, terminalOn } from '#bin/local/terminal/terminal.ts';
import { FUNCTIONS } from '#lib/functions.ts';
import { measuredHere, parseOptions, runBench, seedOption, wholeOption } from '../options.ts';
import { duration, totalTime } from './lambda-time.ts';
import { runFleet } from './run-fleet.ts';
import type { FleetRun, MeasuredReport } from './run-fleet.ts';
import { fleetSizes } from './sizes.ts';
import { startStage } from './stage.ts';
import { asMarkdown, megabytes, seconds } from '../table.ts';
import type { Table } from '../table.ts';
import prod from '#lib/stages/prod.json' with { type: 'json' };

const USAGE = `Runs a day of many merchants with the built functions against the sandboxes, and counts the calls, the
time and the memory that it takes. Every report is checked: sealed, balanced, complete, mailed once.

  npm run bench:fleet -- [options]                                         default

  --merchants <n>    1 to 10000; smaller fleets are the first merchants       1000
  --seed <word>      the same seed, the same sizes                         daybook
  --workers <n>      processes that run reports                          the cores
  -h, --help         show this text

Exit status: 0 when all is well; 1 when a report was wrong; 2 for a wrong option.
`;

const OPTIONS = {
  merchants: { type: 'string' },
  seed: { type: 'string' },
  workers: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Of a request to the payment service, for the time in Lambda. Milliseconds. */
const LATENCY = 40;
/** The registry's default has three. */
const LOOKBACK_DAYS = 3;
/** Milliseconds between two lines about the progress. */
const TELL_EVERY = 10_000;

function sumOf<T>(items: readonly T[], amount: (item: T) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}

function requestsOf({ requests }: MeasuredReport): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** The CPU of a day without rows: the median of the smallest tenth. */
function fixedCpu(reports: readonly MeasuredReport[]): number {
  const smallest = reports.toSorted((one, other) => one.invoices - other.invoices);
  return median(smallest.slice(0, Math.ceil(reports.length / 10)).map(({ cpu }) => cpu));
}

/** How long the fleet would take in Lambda, with lookback days that have not changed. Milliseconds. */
function timeInLambda({ days, again }: FleetRun, places: number): number {
  const { memory } = FUNCTIONS['daily-report'];
  const [fixed, look] = [fixedCpu(days), fixedCpu(again)];
  const share =
    sumOf(again, ({ cpu }) => cpu - look) /
    Math.max(
      1,
      sumOf(again, ({ invoices }) => invoices),
    );
  const awsChain = sumOf(again, (report) => report.awsChain) / again.length;
  // A merchant's days run one after another.
  const times = days.map((day) => {
    const later = { ...day, cpu: look + Math.max(0, share) * day.invoices, awsChain };
    return duration(day, fixed, memory, LATENCY) + LOOKBACK_DAYS * duration(later, look, memory, LATENCY);
  });
  return totalTime(
    times.toSorted((one, other) => other - one),
    places,
  );
}

function fleetTable(run: FleetRun, workers: number): Table {
  const { days, again, plan } = run;
  const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  const kilobytes = (bytes: number) => `${numbers.format(bytes / 1_000)} kB`;
  const counted = (
    what: string,
    reports: readonly MeasuredReport[],
    amount: (one: MeasuredReport) => number,
  ) => {
    const sum = sumOf(reports, amount);
    return [what, numbers.format(sum), numbers.format(sum / reports.length)];
  };
  const lines = run.logBytes / (days.length + again.length);
  const bytes = sumOf(days, (day) => day.bytes);
  const places = prod.concurrency.reports;
  return {
    title: `A day of ${numbers.format(days.length)} merchants`,
    head: ['what', 'together', 'a merchant'],
    rows: [
      counted('invoices', days, ({ invoices }) => invoices),
      counted('requests to the service', days, requestsOf),
      counted('S3: PUT', days, ({ aws }) => aws.s3Put),
      counted('S3: LIST', days, ({ aws }) => aws.s3List),
      counted('S3: GET', days, ({ aws }) => aws.s3Get),
      counted('mails', days, ({ aws }) => aws.mail),
      counted('Secrets Manager: reads', days, ({ aws }) => aws.secret),
      counted(
        'a lookback day that has not changed: PUT and LIST',
        again,
        ({ aws }) => aws.s3Put + aws.s3List,
      ),
      counted('… GET', again, ({ aws }) => aws.s3Get),
      ['stored', megabytes(bytes), kilobytes(bytes / days.length)],
      ['log', megabytes(lines * days.length), kilobytes(lines)],
      [
        'CPU of the reports',
        seconds(sumOf(days, ({ cpu }) => cpu)),
        `${numbers.format(sumOf(days, ({ cpu }) => cpu) / days.length)} ms`,
      ],
      [`time here, ${workers} workers`, seconds(run.wall), ''],
      ['peak memory of a worker', megabytes(Math.max(...days.map(({ peak }) => peak))), ''],
      ['CPU of plan', seconds(plan.cpu), ''],
      ['peak memory of plan', megabytes(plan.peak), ''],
      [`time in Lambda with lookback, ${places} at once (computed)`, seconds(timeInLambda(run, places)), ''],
    ],
    notes: [
      `Computed with ${FUNCTIONS['daily-report'].memory} MB, ${LATENCY} ms for a request to the service and ${LOOKBACK_DAYS} lookback days that have not changed.`,
    ],
  };
}

async function main(): Promise<void> {
  const values = parseOptions('npm run bench:fleet', process.argv.slice(2), OPTIONS);
  if (values.help === true) {
    console.log(USAGE.trimEnd());
    return;
  }
  const merchants = wholeOption('merchants', values.merchants, 1, 10_000) ?? 1_000;
  const workers = wholeOption('workers', values.workers, 1, 64) ?? availableParallelism();
  const sizes = fleetSizes(merchants, seedOption(values.seed));
  endAtSignals(terminalOn(process.stdout, process.stderr));
  const stage = await startStage(merchants);
  try {
    let told = performance.now();
    const run = await runFleet(stage, {
      sizes,
      workers,
      progress: (done, invoices) => {
        if (performance.now() - told < TELL_EVERY) return;
        told = performance.now();
        console.error(`  ${done} merchants, ${invoices} invoices`);
      },
    });
    console.error(`${merchants} merchants: every report sealed, balanced and mailed`);
    console.log(asMarkdown(fleetTable(run, workers)));
    console.log(measuredHere());
  } finally {
    await stage.close();
  }
}

await runBench('bench:fleet', main);
