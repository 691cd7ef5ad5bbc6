import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { endAtSignals, terminalOn, UsageError } from '#bin/local/terminal/terminal.ts';
import { asMarkdown, asText } from '../fleet/table.ts';
import { table, verdict } from '../rows/row.ts';
import { boundRows } from './bounds.ts';
import { measureLake } from './measure-lake.ts';
import type { Results } from './results.ts';
import { USAGE, readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { largeTables, mergeTable, questionTable } from './tables.ts';

/** The results that `--json` wrote. @throws {UsageError} when the file cannot be read */
function savedResults(file: string): Results {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results;
  } catch (error) {
    throw new UsageError(`--from ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @returns whether every bound holds */
function show(results: Results, { markdown }: Settings): boolean {
  for (const shown of [questionTable(results), mergeTable(results), ...largeTables(results)]) {
    console.log((markdown ? asMarkdown(shown) : asText(shown)).join('\n'));
    console.log();
  }
  const rows = boundRows(results);
  console.log(table(rows));
  console.log(`\nMeasured ${results.at.slice(0, 10)} on ${results.machine}.`);
  return rows.every((row) => verdict(row) !== 'DOES NOT HOLD');
}

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') console.log(USAGE.trimEnd());
  else {
    let results: Results;
    if (settings.from === undefined) {
      endAtSignals(terminalOn(process.stdout, process.stderr));
      const measured = await measureLake(settings, (line) => {
        console.error(line);
      });
      const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
      results = { settings, at: new Date().toISOString(), machine, ...measured };
      if (settings.json !== undefined) writeFileSync(settings.json, JSON.stringify(results));
    } else results = savedResults(settings.from);
    if (!show(results, settings)) process.exitCode = 1;
  }
} catch (error) {
  console.error(`bench:lake: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
