import { availableParallelism } from 'node:os';
import { median } from 'simple-statistics';
import { endAtSignals, seedOption, terminalOn, wholeOption } from '#bin/local/terminal/terminal.ts';
import { FUNCTIONS, MAX_RECEIVES } from '#lib/functions.ts';
import { readOptions } from '#scripts/command-line.ts';
import { measuredHere, runBench } from '../options.ts';
import { doneAtOnce, duration, endsOf } from './lambda-time.ts';
import type { Message } from './lambda-time.ts';
import { runFleet, startStage } from './run-fleet.ts';
import type { FleetRun, MeasuredReport } from './run-fleet.ts';
import { fleetSizes } from './sizes.ts';
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
} as const;

/** Of a request to the payment service, for the time in Lambda. Milliseconds. */
const LATENCY = 40;
/** The registry's default has three. */
const LOOKBACK_DAYS = 3;
/** Days. */
const LONGEST_BACKFILL = 400;
const MOST_LONGER = 1.05;
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

const MINUTE = 60_000;

/** How long the fleet would take in Lambda, with lookback days that have not changed. Milliseconds. */
interface TimeInLambda {
  alone: number;
  /** Until the last of the same merchants is done, when poor ones are in the queue before them. */
  besidePoor: number;
  /** Until the last of those is put aside. */
  poor: number;
  /** 400 days of one merchant, on the queue of backfills. */
  backfill: number;
}

/** Merchants that take a place for long, or come back: how each of their receives ends. */
function poorMessages(short: number): Message[] {
  const { timeoutMinutes } = FUNCTIONS['daily-report'];
  const killed = { runs: timeoutMinutes * MINUTE, comesBack: (timeoutMinutes + 1) * MINUTE };
  const throttled = { runs: short, comesBack: short + 4 * MINUTE };
  return [
    // One hangs until its time ends.
    Array.from({ length: MAX_RECEIVES }, () => killed),
    // One is throttled for a while.
    [throttled, { runs: short, comesBack: 0 }],
    // The login of one is refused, and one message is malformed: both are put aside at once.
    doneAtOnce(short),
    doneAtOnce(short),
  ];
}

function timeInLambda({ days, again }: FleetRun, places: number): TimeInLambda {
  const { memory } = FUNCTIONS['daily-report'];
  const [fixed, look] = [fixedCpu(days), fixedCpu(again)];
  const share =
    sumOf(again, ({ cpu }) => cpu - look) /
    Math.max(
      1,
      sumOf(again, ({ invoices }) => invoices),
    );
  const awsChain = sumOf(again, (report) => report.awsChain) / again.length;
  const times = days.map((day) => {
    const later = { ...day, cpu: look + Math.max(0, share) * day.invoices, awsChain };
    const first = duration(day, fixed, memory, LATENCY);
    return { first, morning: first + LOOKBACK_DAYS * duration(later, look, memory, LATENCY) };
  });
  const healthy = times.map(({ morning }) => doneAtOnce(morning));
  const usual = median(times.map(({ first }) => first));
  const poor = poorMessages(usual);
  const ends = endsOf([...poor, ...healthy], places);
  return {
    alone: Math.max(...endsOf(healthy, places)),
    besidePoor: Math.max(...ends.slice(poor.length)),
    poor: Math.max(...ends.slice(0, poor.length)),
    backfill: LONGEST_BACKFILL * usual,
  };
}

/** A place that hangs is one that the others do not have, so they take about one part in `places` longer. */
function assertUnhindered({ alone, besidePoor }: TimeInLambda): void {
  if (besidePoor <= alone * MOST_LONGER) return;
  throw new Error(`beside poor merchants the others take ${seconds(besidePoor)}, alone ${seconds(alone)}`);
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
  const time = timeInLambda(run, places);
  assertUnhindered(time);
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
      [`time in Lambda with lookback, ${places} at once (computed)`, seconds(time.alone), ''],
      ['… of the same merchants beside poor ones', seconds(time.besidePoor), ''],
      ['… until the last poor one is put aside', seconds(time.poor), ''],
      [`… of ${LONGEST_BACKFILL} days of one merchant, on their own queue`, seconds(time.backfill), ''],
    ],
    notes: [
      `Computed with ${FUNCTIONS['daily-report'].memory} MB, ${LATENCY} ms for a request to the service and ${LOOKBACK_DAYS} lookback days that have not changed.`,
      'The poor ones are first in the queue: one hangs until it is killed, each time; one is throttled and comes back; a login is refused; a message is malformed.',
    ],
  };
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, OPTIONS);
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
