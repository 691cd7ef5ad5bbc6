import { parseArgs } from 'node:util';
import { build } from '#scripts/build.ts';
import { alertCheck } from './rows/alert-check.ts';
import { command } from './rows/command.ts';
import { document } from './rows/document.ts';
import { imports } from './rows/imports.ts';
import { latency } from './rows/latency.ts';
import { loops } from './rows/loops.ts';
import { mail } from './rows/mail.ts';
import { memory } from './rows/memory.ts';
import { table, verdict } from './rows/row.ts';
import type { Row } from './rows/row.ts';
import { small } from './rows/small.ts';
import { throughput } from './rows/throughput.ts';

const MEASUREMENTS: Record<string, () => Promise<Row[]>> = {
  throughput,
  loops,
  small,
  latency,
  memory,
  imports,
  mail,
  document,
  'alert-check': alertCheck,
  command,
};

const HELP = `Usage: npm run bench [-- --only NAME]

Measures Daybook against local servers and prints a table of ratios. It builds the functions first.
It takes about ten minutes, and fails if a bound does not hold.

  --only NAME   one of: ${Object.keys(MEASUREMENTS).join(', ')}; can be given several times
  -h, --help    show this text`;

/** @throws {TypeError} for an unknown option */
function readNames(): string[] | 'help' {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
  });
  return values.help === true ? 'help' : (values.only ?? Object.keys(MEASUREMENTS));
}

async function main(): Promise<void> {
  const names = readNames();
  if (names === 'help') {
    console.log(HELP);
    return;
  }
  await build();
  const rows: Row[] = [];
  for (const name of names) {
    const measure = Object.hasOwn(MEASUREMENTS, name) ? MEASUREMENTS[name] : undefined;
    if (measure === undefined) {
      console.error(`bench: --only must be one of ${Object.keys(MEASUREMENTS).join(', ')}, not ${name}`);
      process.exitCode = 2;
      return;
    }
    console.error(`measuring ${name} …`);
    rows.push(...(await measure()));
  }
  console.log(table(rows));
  if (rows.some((row) => verdict(row) === 'DOES NOT HOLD')) process.exitCode = 1;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')))
    throw error;
  console.error(`bench: ${error.message.split('. ')[0] ?? error.message}; see npm run bench -- --help`);
  process.exitCode = 2;
}
