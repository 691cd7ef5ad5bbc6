import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { endAtSignals, terminalOn, UsageError } from '#bin/local/terminal/terminal.ts';
import { asMarkdown, asText } from '../fleet/table.ts';
import type { Table } from '../fleet/table.ts';
import { compare } from './compare.ts';
import type { Case } from './compare.ts';
import { USAGE, readSettings } from './settings.ts';
import { PEERS, PROOF_AND_MAIL } from './peers.ts';
import { mediansOf, multiplesOf } from './ratios.ts';
import { megabytes, seconds } from '../rows/row.ts';

const [DAYBOOK] = PEERS.map(({ name }) => name);

/** Every program as multiples of Daybook, one table for each page size and latency. Daybook's row has its own figures. */
function caseTable({ perPage, latency, rounds }: Case, invoices: number): Table {
  const base = DAYBOOK ?? '';
  const there = PEERS.filter(({ name }) => rounds.every((round) => name in round));
  const own = mediansOf(rounds, base);
  return {
    title: `${invoices.toLocaleString('en')} invoices, ${perPage} a page, ${latency} ms a request`,
    head: ['program', 'time', 'processor', 'memory', 'leaves out'],
    rows: there.map(({ name, leavesOut }) => {
      if (name === base) return [name, seconds(own.wall), seconds(own.cpu), megabytes(own.peak), leavesOut];
      const { wall, cpu, peak } = multiplesOf(rounds, name, base);
      return [name, ...[wall, cpu, peak].map((ratio) => ratio.toFixed(2)), leavesOut];
    }),
    notes: [
      `Daybook's row has its own figures. The others are multiples of it: below 1 is less than Daybook. Medians of ${rounds.length} rounds.`,
      PROOF_AND_MAIL,
    ],
  };
}

/** The load of the last minute, five and fifteen. */
function load(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}

try {
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') console.log(USAGE.trimEnd());
  else {
    endAtSignals(terminalOn(process.stdout, process.stderr));
    const loadBefore = load();
    const say = (line: string) => {
      console.error(line);
    };
    const measured = (one: Case) => {
      const table = caseTable(one, settings.invoices);
      console.log((settings.markdown ? asMarkdown(table) : asText(table)).join('\n'));
      console.log();
    };
    const cases = await compare(settings, { say, measured });
    const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;
    if (settings.json !== undefined)
      writeFileSync(settings.json, JSON.stringify({ settings, machine, cases }));
    console.log(
      `Measured ${new Date().toISOString().slice(0, 10)} on ${machine}. Load before: ${loadBefore}; after: ${load()}.`,
    );
  }
} catch (error) {
  console.error(`bench:peers: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
