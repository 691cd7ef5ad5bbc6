import { availableParallelism } from 'node:os';
import { endAtSignals, seedOption, terminalOn, wholeOption } from '#bin/local/terminal/terminal.ts';
import { readOptions } from '#scripts/command-line.ts';
import { measuredHere, runBench } from '../options.ts';
import { asMarkdown, megabytes, seconds, type Table } from '../table.ts';
import { runFleet, type FleetRun } from './run-fleet.ts';
import { fleetSizes } from './sizes.ts';

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

/** Milliseconds between two lines about the progress. */
const TELL_EVERY = 10_000;

function fleetTable({ days, plan, wall, logBytes }: FleetRun, workers: number): Table {
  const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  const counted = (
    what: string,
    amount: (one: FleetRun['days'][number]) => number,
    text: (value: number) => string = (value) => numbers.format(value),
    textOfOne = text,
  ) => {
    const sum = days.reduce((all, one) => all + amount(one), 0);
    return [what, text(sum), textOfOne(sum / days.length)];
  };
  const kilobytes = (bytes: number) => `${numbers.format(bytes / 1_000)} kB`;
  return {
    title: `A day of ${numbers.format(days.length)} merchants`,
    head: ['what', 'together', 'a merchant'],
    rows: [
      counted('invoices', ({ invoices }) => invoices),
      counted('requests to the service', ({ calls }) => calls.service),
      counted('S3: PUT', ({ calls }) => calls.s3Put),
      counted('S3: LIST', ({ calls }) => calls.s3List),
      counted('S3: GET', ({ calls }) => calls.s3Get),
      counted('mails', ({ calls }) => calls.mail),
      counted('Secrets Manager: reads', ({ calls }) => calls.secret),
      counted('stored', ({ bytes }) => bytes, megabytes, kilobytes),
      counted('log', () => logBytes / days.length, megabytes, kilobytes),
      counted('CPU of the reports', ({ cpu }) => cpu, seconds),
      [`time here, ${workers} workers`, seconds(wall), ''],
      ['peak memory of a worker', megabytes(Math.max(...days.map(({ peak }) => peak))), ''],
      ['CPU of plan', seconds(plan.cpu), ''],
      ['peak memory of plan', megabytes(plan.peak), ''],
    ],
    notes: [],
  };
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, OPTIONS);
  const merchants = wholeOption('merchants', values.merchants, 1, 10_000) ?? 1_000;
  const workers = wholeOption('workers', values.workers, 1, 64) ?? availableParallelism();
  const sizes = fleetSizes(merchants, seedOption(values.seed));
  endAtSignals(terminalOn(process.stdout, process.stderr));
  let told = performance.now();
  const run = await runFleet({
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
}

await runBench('bench:fleet', main);
