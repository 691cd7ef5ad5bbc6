import { writeFileSync } from 'node:fs';
import { endAtSignals, terminalOn } from '#bin/local/terminal/terminal.ts';
import { measuredHere, parseOptions, runBench, seedOption, wholeOption as whole } from '../options.ts';
import { asMarkdown, rowTable, verdict } from '../table.ts';
import { boundRows, mergeTable, questionTable } from './tables.ts';
import { measureLake } from './measure-lake.ts';

/** The command line, read and checked. */
export interface Settings {
  merchants: number;
  days: number;
  /** Merchants of the year. 0: no year. */
  year: number;
  /** The last days of the month, whose merges come one by one. */
  daily: number;
  seed: string;
  json: string | undefined;
}

const USAGE = `Compares questions to the history with the same questions to the JSON objects, on a
real Trino: CPU, objects opened and bytes. It writes a month of merchants into the S3
sandbox, loads it by the history's own statements, one daily merge after the other. It fails if
a bound does not hold.

  npm run bench:lake -- [options]                                          default

  --merchants <n>    1 to 1000                                                 300
  --days <n>         of the month, 1 to 30                                      30
  --year <n>         merchants of the year, 0 for none                          40
  --daily <n>        merge the last n days one by one, load those before at once    7
  --seed <word>      the same seed, the same data                          daybook
  --json <file>      write the raw figures to this file
  -h, --help         show this text

Quick: npm run bench:lake -- --merchants 60 --days 10 --year 0

Exit status: 0 when all is well; 1 when a bound does not hold, or answers differ; 2 for a
wrong option.
`;

const text = { type: 'string' } as const;
const OPTIONS = {
  merchants: text,
  days: text,
  year: text,
  daily: text,
  seed: text,
  json: text,
  help: { type: 'boolean', short: 'h' },
} as const;

/** @throws {UsageError} for an unknown option, or a wrong value */
function readSettings(args: readonly string[]): Settings | 'help' {
  const values = parseOptions('npm run bench:lake', args, OPTIONS);
  if (values.help === true) return 'help';
  return {
    merchants: whole('merchants', values.merchants, 1, 1_000) ?? 300,
    days: whole('days', values.days, 1, 30) ?? 30,
    year: whole('year', values.year, 0, 200) ?? 40,
    daily: whole('daily', values.daily, 1, 30) ?? 7,
    seed: seedOption(values.seed),
    json: values.json,
  };
}

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') {
    console.log(USAGE.trimEnd());
    return;
  }
  endAtSignals(terminalOn(process.stdout, process.stderr));
  const results = await measureLake(settings, (line) => {
    console.error(line);
  });
  if (settings.json !== undefined) writeFileSync(settings.json, JSON.stringify(results));
  for (const table of [questionTable(results), mergeTable(results)]) console.log(asMarkdown(table));
  const rows = boundRows(results);
  console.log(`${rowTable(rows)}\n\n${measuredHere()}`);
  if (rows.some((row) => verdict(row) === 'DOES NOT HOLD')) process.exitCode = 1;
}

await runBench('bench:lake', main);
