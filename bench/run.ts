import { UsageError } from '#bin/daybook/terminal/command-errors.ts';
import { build } from '#scripts/build.ts';
import { readOptions } from '#scripts/command-line.ts';
import { runBench } from './options.ts';
import { document } from './rows/documents.ts';
import { latency, loops, memory, small } from './rows/loops.ts';
import { rowTable, verdict, type Row } from './table.ts';

const MEASUREMENTS: Record<string, () => Promise<Row[]>> = {
  loops,
  small,
  latency,
  memory,
  document,
};

const HELP = `Usage: npm run bench [-- --only NAME]

Measures Daybook against local servers and prints a table of ratios. It builds the functions first.
It takes about ten minutes, and fails if a bound does not hold.

  --only NAME   one of: ${Object.keys(MEASUREMENTS).join(', ')}; can be given several times
  -h, --help    show this text`;

async function main(): Promise<void> {
  const { only } = readOptions(HELP, { only: { type: 'string', multiple: true } });
  const names = only ?? Object.keys(MEASUREMENTS);
  const unknown = names.find((name) => !Object.hasOwn(MEASUREMENTS, name));
  if (unknown !== undefined) {
    throw new UsageError(`--only must be one of ${Object.keys(MEASUREMENTS).join(', ')}, not ${unknown}`);
  }
  await build();
  const rows: Row[] = [];
  for (const name of names) {
    console.error(`measuring ${name} …`);
    rows.push(...((await MEASUREMENTS[name]?.()) ?? []));
  }
  console.log(rowTable(rows));
  if (rows.some((row) => verdict(row) === 'DOES NOT HOLD')) process.exitCode = 1;
}

await runBench('bench', main);
