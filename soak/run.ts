import { printTable } from '#bin/daybook/terminal/table.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import type { SoakResult } from './soak.ts';
import type { Tally } from './tally.ts';
import type { BrokenPromise } from './truths/evidence.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAtSignals, terminalOn, UsageError } from '#bin/local/terminal/terminal.ts';
import { USAGE, commandOf, readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { soak } from './soak.ts';

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
  const settings = readSettings(process.argv.slice(2));
  if (settings === 'help') terminal.line(USAGE.trimEnd());
  else {
    endAtSignals(terminal);
    await run(settings);
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  terminal.complain(`soak: ${error.message}`);
  process.exitCode = 2;
}
