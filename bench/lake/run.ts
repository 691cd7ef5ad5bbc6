import { endAtSignals, terminalOn, wholeOption } from '#bin/local/terminal/terminal.ts';
import { readOptions } from '#scripts/command-line.ts';
import { measuredHere, runBench } from '../options.ts';
import { asMarkdown, rowTable, verdict } from '../table.ts';
import { boundRows, queryTable, questionTable } from './tables.ts';
import { measureLake } from './measure-lake.ts';

const USAGE = `Compares questions to the history with the same questions to the JSON objects, on a
real Trino: CPU, objects opened and bytes. It writes a month of merchants into the S3
sandbox and loads it by the history's own statements. It fails if a bound does not hold.

  npm run bench:lake -- [options]                                          default

  --merchants <n>    1 to 1000                                                 300
  --days <n>         of the month, 1 to 30                                      30
  -h, --help         show this text

Quick: npm run bench:lake -- --merchants 60 --days 10

Exit status: 0 when all is well; 1 when a bound does not hold, or answers differ; 2 for a
wrong option.
`;

async function main(): Promise<void> {
  const values = readOptions(USAGE, { merchants: { type: 'string' }, days: { type: 'string' } });
  const settings = {
    merchants: wholeOption('merchants', values.merchants, 1, 1_000) ?? 300,
    days: wholeOption('days', values.days, 1, 30) ?? 30,
  };
  endAtSignals(terminalOn(process.stdout, process.stderr));
  const results = await measureLake(settings, (line) => {
    console.error(line);
  });
  console.log(asMarkdown(questionTable(results)));
  console.log(asMarkdown(queryTable(results)));
  const rows = boundRows(results);
  console.log(`${rowTable(rows)}\n\n${measuredHere()}`);
  if (rows.some((row) => verdict(row) === 'DOES NOT HOLD')) process.exitCode = 1;
}

await runBench('bench:lake', main);
