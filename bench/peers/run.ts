import { loadavg } from 'node:os';
import { UsageError } from '#bin/daybook/terminal/command-errors.ts';
import { endAtSignals, terminalOn, wholeOption as whole } from '#bin/local/terminal/terminal.ts';
import { readOptions } from '#scripts/command-line.ts';
import { measuredHere, runBench } from '../options.ts';
import { asMarkdown, megabytes, seconds, type Table } from '../table.ts';
import { compare, mediansOf, multiplesOf, PEERS, PROOF_AND_MAIL, type Case } from './peers.ts';

export interface Settings {
  rounds: number;
  invoices: number;
  perPage: number[];
  /** Milliseconds per request. */
  latency: number[];
  /** Names of programs. Daybook always runs. */
  only: string[];
}

const NAMES = PEERS.map(({ name }) => name);

const USAGE = `Runs tools of others and loops written by hand against the same payment service as Daybook, one after
the other in rounds, and prints their time, processor time and memory as multiples of Daybook's.
Each is a whole process, measured from its start to its end. Needs Python 3; the first run installs
the tools of bench/peers/requirements.txt into .local/peers.

  npm run bench:peers -- [options]                                         default

  --rounds <n>        1 to 20; the medians are those of the rounds               3
  --invoices <n>      1 to 200000                                            20400
  --per-page <n,…>    invoices on a page                                    15,100
  --latency <ms,…>    of the payment service                                  0,40
  --only <name>       Daybook and this program; can be given several times     all
  -h, --help          show this text

Programs: ${NAMES.slice(1).join('; ')}

Exit status: 0 when all is well; 1 when a program failed or its output is not complete; 2 for a
wrong option.
`;

const text = { type: 'string' } as const;
const OPTIONS = {
  rounds: text,
  invoices: text,
  'per-page': text,
  latency: text,
  only: { type: 'string', multiple: true },
} as const;

function list(name: string, given: string | undefined, least: number, most: number): number[] | undefined {
  return given?.split(',').map((one) => whole(name, one, least, most) ?? least);
}

function readSettings(): Settings {
  const values = readOptions(USAGE, OPTIONS);
  const { only = NAMES } = values;
  const unknown = only.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only must be one of ${NAMES.join('; ')}, not ${JSON.stringify(unknown)}`);
  }
  return {
    rounds: whole('rounds', values.rounds, 1, 20) ?? 3,
    invoices: whole('invoices', values.invoices, 1, 200_000) ?? 20_400,
    perPage: list('per-page', values['per-page'], 1, 10_000) ?? [15, 100],
    latency: list('latency', values.latency, 0, 1_000) ?? [0, 40],
    only,
  };
}

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

function load(): string {
  return loadavg()
    .map((value) => value.toFixed(1))
    .join(', ');
}

async function main(): Promise<void> {
  const settings = readSettings();
  endAtSignals(terminalOn(process.stdout, process.stderr));
  const loadBefore = load();
  await compare(settings, {
    say: (line) => {
      console.error(line);
    },
    measured: (one) => {
      console.log(asMarkdown(caseTable(one, settings.invoices)));
    },
  });
  console.log(`${measuredHere()} Load before: ${loadBefore}; after: ${load()}.`);
}

await runBench('bench:peers', main);
