import { printTable } from '#bin/daybook/terminal/table.ts';
import { presentRound } from '#records/ledger/ledger-rounds.ts';
import type { SoakResult } from './soak.ts';
import type { Tally } from './tally.ts';
import type { BrokenPromise } from './truths/broken-promise.ts';

/** UTF-16 units of a list of names with their counts. */
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
export function summaryLines({ counts, evidence, virtual }: SoakResult, real: number): string[] {
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

export function promiseLine({ merchantCode, day, what }: BrokenPromise): string {
  return [merchantCode, day, what].filter((part) => part !== undefined).join('  ');
}
