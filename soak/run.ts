import { printTable } from '#bin/daybook/terminal/table.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import { soak, type Settings, type SoakResult } from './soak.ts';
import type { Tally } from './tally.ts';
import type { BrokenPromise } from './truths/evidence.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '#bin/daybook/terminal/command-errors.ts';
import { endAtSignals, seedOption, terminalOn, wholeOption } from '#bin/local/terminal/terminal.ts';
import { readOptions } from '#scripts/command-line.ts';

const USAGE = `Runs Daybook over simulated days with a clock of its own. The built functions (plan,
reports, alert checks, mail events, watch, sweep) run behind queues and schedules.
Meanwhile the service and AWS fail, functions are killed, and messages come twice. At the end every merchant
and day must have one newest sealed revision that equals the service's data, and its
mails exactly once.

  npm run soak -- [options]                                           default

  --days <n>         simulated days with faults, 1 to 365             30
  --merchants <n>    1 to 200                                         20
  --seed <word>      the same seed gives the same faults and kills    daybook
  --workers <n>      functions at the same time, 1 to 64              twice the cores
  -h, --help         show this text

A week without faults follows, so that every day gets its last lookback.
Exit status: 0 when all is well; 1 when a promise was broken; 2 for a wrong option; 130 after Ctrl-C.
`;

const text = { type: 'string' } as const;

/** @throws {UsageError} for a wrong value */
function readSettings(): Settings {
  const values = readOptions(USAGE, { days: text, merchants: text, seed: text, workers: text });
  return {
    days: wholeOption('days', values.days, 1, 365) ?? 30,
    merchants: wholeOption('merchants', values.merchants, 1, 200) ?? 20,
    seed: seedOption(values.seed),
    workers: wholeOption('workers', values.workers, 1, 64) ?? 2 * availableParallelism(),
  };
}

function commandOf({ days, merchants, seed, workers }: Settings): string {
  return `npm run soak -- --days ${days} --merchants ${merchants} --seed ${seed} --workers ${workers}`;
}

const MOST_DETAIL = 2_000;

type Row = readonly [what: string, count: string, detail: string];

function detailOf(tally: Tally): string {
  return tally
    .entries()
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function tallied(what: string, tally: Tally): Row {
  return [what, String(tally.total), detailOf(tally)];
}

/** The counts of a run, in lines. @param real milliseconds that the run took */
function summaryLines({ counts, evidence, virtual }: SoakResult, real: number): string[] {
  const manifests = [...evidence.days.values()];
  const revisions = manifests.reduce((sum, own) => sum + own.length, 0);
  const held = [...evidence.ledgers.values()].reduce(
    (sum, ledger) => sum + presentRound(ledger).filter(({ status }) => status === 'held').length,
    0,
  );
  const rows: Row[] = [
    tallied('invocations', counts.invocations),
    tallied('kills', counts.kills),
    tallied('failed invocations', counts.failures),
    tallied('service faults', counts.serviceFaults),
    tallied('AWS faults', counts.awsFaults),
    ['revisions', String(revisions), `of ${manifests.length} days of merchants`],
    tallied('mails', counts.mails),
    ['held', String(held), 'recipients who may or may not have the mail; ops were notified'],
    tallied('mail events', counts.mailEvents),
    ...counts.other.entries().map(([name, count]): Row => [name, String(count), '']),
    ['virtual time', `${(virtual / 86_400_000).toFixed(1)} days`, ''],
    ['real time', `${(real / 1_000).toFixed(1)} s`, ''],
  ];
  return printTable(
    ['what', 'count', ''],
    rows.map(([what, count, detail]) => [
      what,
      { text: count, side: 'right' },
      { text: detail, limit: MOST_DETAIL },
    ]),
    (_style, text) => text,
  );
}

function promiseLine({ merchantCode, day, what }: BrokenPromise): string {
  return [merchantCode, day, what].filter((part) => part !== undefined).join('  ');
}

const terminal = terminalOn(process.stdout, process.stderr);

async function run(settings: Settings): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-soak-'));
  let isKept = false;
  process.once('exit', () => {
    if (!isKept) rmSync(directory, { recursive: true, force: true });
  });
  const { seed, days, merchants, workers } = settings;
  terminal.line(`seed ${seed}: ${days} days, ${merchants} merchants, ${workers} functions at the same time`);
  const began = performance.now();
  const result = await soak(settings, directory, terminal);
  terminal.line();
  for (const line of summaryLines(result, performance.now() - began)) terminal.line(line);
  terminal.line();
  if (result.broken.length === 0) {
    terminal.line(`seed ${seed}: every promise was kept`);
    return;
  }
  isKept = true;
  process.exitCode = 1;
  for (const promise of result.broken) terminal.complain(promiseLine(promise));
  terminal.complain(`bucket, mails and the functions' log: ${directory}`);
  terminal.complain(
    `seed ${seed}: ${result.broken.length} promises were broken; run again: ${commandOf(settings)}`,
  );
}

try {
  const settings = readSettings();
  endAtSignals(terminal);
  await run(settings);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  terminal.complain(`soak: ${error.message}`);
  process.exitCode = 2;
}
