import { printTable } from '../../daybook/terminal/table.ts';
import type { Cell } from '../../daybook/terminal/table.ts';
import type { Outcome } from '../daily-round.ts';
import type { Terminal } from './terminal.ts';
import { join, relative, resolve } from 'node:path';
import { pastedLine, shellWord } from '#mail/notices/ops-command.ts';
import type { CommandPlace } from '#mail/notices/ops-command.ts';
import { BUCKET } from '../configuration.ts';
import { NAMES } from '../directory.ts';
import { NEW_MERCHANT } from '../merchants.ts';
import { DEFAULTS } from '../settings.ts';
import type { Settings } from '../settings.ts';

export interface SummaryRow {
  outcome: Outcome;
  name: string;
}

const NONE = '–';

/** `1204.500` as `1,204.500`. */
function grouped(amount: string): string {
  return amount.replace(/\B(?=(\d{3})+(?=\.))/g, ',');
}

/** The state of a merchant's mail, in one or two words. */
export function mailWord(outcome: Outcome): string {
  if (!('report' in outcome)) return NONE;
  const { status } = outcome.report.mail;
  if (status === 'sent') return outcome.mailKind ?? 'sent';
  return status === 'already-sent' ? 'already sent' : status;
}

const FIGURES = ['Invoices', 'Paid', 'Unpaid', 'Cancelled', 'Refunds', 'Refund total KWD'];

function figuresOf(outcome: Outcome): string[] {
  if (!('report' in outcome)) return FIGURES.map(() => NONE);
  const { counts, refunds } = outcome.report;
  const { total, paid, notPaid, cancelled } = counts;
  return [
    ...[total, paid, notPaid, cancelled].map((count) => count?.toString() ?? 'unknown'),
    refunds.count.toString(),
    refunds.total === null ? '' : grouped(refunds.total),
  ];
}

function sealedCells(outcome: Outcome): string[] {
  if (!('report' in outcome)) return ['failed', NONE];
  const { revision, unchanged, balanced } = outcome.report;
  return [`${String(revision)}${unchanged ? ' unchanged' : ''}`, balanced ? 'balanced' : 'differs'];
}

function printCells(
  terminal: Terminal,
  heading: readonly string[],
  rows: readonly (readonly Cell[])[],
): void {
  terminal.line();
  for (const line of printTable(heading, rows, terminal.style)) terminal.line(line);
}

/** Prints the rows as two tables, for a terminal of 80 columns: what was sealed, and the figures. */
export function printSummary(terminal: Terminal, rows: readonly SummaryRow[]): void {
  printCells(
    terminal,
    ['Merchant', 'Day', 'Revision', 'Balance', 'Mail', 'Name'],
    rows.map(({ outcome, name }) => {
      const { merchantCode, day } = outcome;
      return [merchantCode, day, ...sealedCells(outcome), mailWord(outcome), name];
    }),
  );
  printCells(
    terminal,
    ['Merchant', ...FIGURES],
    rows.map(({ outcome }) => {
      const figures = figuresOf(outcome).map((text): Cell => ({ text, side: 'right' }));
      return [outcome.merchantCode, ...figures];
    }),
  );
}

/** Prints what the table has no room for: differences in the balance, and why there was no mail. */
export function printRemarks(terminal: Terminal, rows: readonly SummaryRow[]): void {
  const remarks = rows.flatMap(({ outcome }) => {
    if (!('report' in outcome)) return [];
    const { differences, mail } = outcome.report;
    const [first, ...others] = differences;
    const more = others.length > 0 ? ` (and ${others.length} more)` : '';
    const differs =
      first &&
      `${first.what}: the service says ${String(first.service)}, its rows ${String(first.rows)}${more}`;
    const said = [differs, mail.reason && `no mail: ${mail.reason}`].filter((text) => text !== undefined);
    return said.map((text) => `${outcome.merchantCode} ${outcome.day}: ${text}`);
  });
  if (remarks.length > 0) terminal.line();
  for (const remark of remarks) terminal.line(terminal.style('yellow', remark));
}

/** Prints each failure on stderr, one line each. */
export function printFailures(terminal: Terminal, rows: readonly SummaryRow[]): void {
  for (const { outcome } of rows) {
    if (!('failure' in outcome)) continue;
    terminal.complain(`${outcome.merchantCode} ${outcome.day} failed: ${outcome.failure}`);
  }
}

/** Says where the results are. @param mails how many the directory holds */
export function printPlaces(terminal: Terminal, directory: string, mails: number): void {
  const place = shown(directory);
  const places: [string, string][] = [
    [`${NAMES.mails}/`, `${mails} so far, each as .eml and as .html`],
    [`${NAMES.objects}/${BUCKET}/`, 'the data bucket, one file per object'],
    [NAMES.events, 'what other systems are told, an event a line'],
    [NAMES.log, 'the log of the functions, one JSON object per line'],
    [NAMES.payments, 'the records of the payment service'],
  ];
  terminal.line();
  terminal.line(terminal.style('bold', `Under ${place}/`));
  for (const [name, what] of places) terminal.line(`  ${name.padEnd(18)}${what}`);
}

function printSteps(terminal: Terminal, title: string, steps: readonly [string, string][]): void {
  const width = Math.max(...steps.map(([step]) => step.length));
  terminal.line();
  terminal.line(terminal.style('bold', title));
  for (const [step, what] of steps) terminal.line(`  ${step.padEnd(width)}  ${terminal.style('dim', what)}`);
}

/** Says what to try next, in three commands that work as printed. `npm start -- --help` has the others. */
export function printNextSteps(terminal: Terminal, directory: string, settings: Settings): void {
  const own = [
    ...(settings.merchants === DEFAULTS.merchants ? [] : [`--merchants ${settings.merchants}`]),
    ...(settings.day === undefined ? [] : [`--day ${settings.day}`]),
    ...(settings.alerts ? [] : ['--no-alerts']),
    ...(settings.directory === DEFAULTS.directory ? [] : [`--directory ${shellWord(settings.directory)}`]),
  ];
  const command = (option: string) => ['npm start --', option, ...own].join(' ');
  const objects = `${shown(directory)}/${NAMES.objects}/${BUCKET}`;
  const lake = settings.directory === DEFAULTS.directory ? '' : ` -- --lake ${shellWord(objects)}`;
  // While a run serves, no other run may use its directory.
  printSteps(terminal, settings.serve ? 'Try next, after Ctrl-C' : 'Try next', [
    [command('--later'), 'the next morning: what was paid since'],
    [command('--serve'), 'read the mails in a browser, and use the operator’s command'],
    [`npm run lake${lake}`, 'ask the files in SQL'],
  ]);
}

/** Says how to use a run that serves, until Ctrl-C. @param inbox the address of the page with the mails */
export function printServing(terminal: Terminal, directory: string, inbox: string): void {
  const place: CommandPlace = {
    local: true,
    ...(directory !== resolve(DEFAULTS.directory) && { directory: shown(directory) }),
  };
  const line = (...words: string[]) => pastedLine('daybook', words, place);
  const steps: [string, string][] = [
    [line('status'), 'what became of each report and statement'],
    [line('invoke', 'plan'), 'run a function with any event: first its samples'],
    [pastedLine('daybook', ['--help'], {}), 'all commands'],
  ];
  printSteps(terminal, 'While this run serves', steps);
  const { account, recipient } = NEW_MERCHANT;
  const file = shellWord(join(shown(directory), NAMES.newMerchant));
  terminal.line(`  ${line('merchant', 'add', account.merchantCode, '--recipients', recipient)} <${file}`);
  terminal.line();
  terminal.line(`Inbox: ${inbox}  (Ctrl-C ends it)`);
}

/** Relative to the current directory, unless the path is outside of it. */
function shown(directory: string): string {
  const path = relative(process.cwd(), directory);
  return path === '' || path.startsWith('..') ? directory : path;
}
