import { join, relative, resolve } from 'node:path';
import { pastedLine, shellWord } from '#mail/notices/ops-command.ts';
import type { CommandPlace } from '#mail/notices/ops-command.ts';
import { BUCKET } from '../configuration.ts';
import { NAMES } from '../directory.ts';
import { NEW_MERCHANT } from '../merchants.ts';
import { DEFAULTS } from '../settings.ts';
import type { Settings } from '../settings.ts';
import type { SummaryRow } from './summary.ts';
import type { Terminal } from './terminal.ts';

/** Says where the results are. @param mails how many the directory holds */
export function printPlaces(terminal: Terminal, directory: string, mails: number): void {
  const place = shown(directory);
  const places: [string, string][] = [
    [`${NAMES.mails}/`, `${mails} so far, each as .eml and as .html`],
    [`${NAMES.objects}/${BUCKET}/`, 'the data bucket, one file per object'],
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

/**
 * Says what to try next, in commands that work as printed.
 *
 * @param sealed a merchant and day whose files can be looked at; `undefined` when no report was made
 */
export function printNextSteps(
  terminal: Terminal,
  directory: string,
  settings: Settings,
  sealed: SummaryRow | undefined,
): void {
  const own = [
    ...(settings.merchants === DEFAULTS.merchants ? [] : [`--merchants ${settings.merchants}`]),
    ...(settings.day === undefined ? [] : [`--day ${settings.day}`]),
    ...(settings.alerts ? [] : ['--no-alerts']),
    ...(settings.directory === DEFAULTS.directory ? [] : [`--directory ${shellWord(settings.directory)}`]),
  ];
  const command = (...options: string[]) => {
    const all = [...options, ...own];
    return `npm start${all.length === 0 ? '' : ` -- ${all.join(' ')}`}`;
  };
  const objects = `${shown(directory)}/${NAMES.objects}/${BUCKET}`;
  const steps: [string, string][] = [
    [command(), 'run again: unchanged, no second mail'],
    [command('--later'), 'change the day after its report'],
    [command('--serve'), 'read the mails in a browser, and use the operator’s command'],
    [command('--faults 429,down:700001'), 'let the service fail'],
    ['npm start -- --help', 'all options'],
  ];
  // While a run serves, no other run may use its directory.
  printSteps(terminal, settings.serve ? 'Try next, after Ctrl-C' : 'Try next', steps);
  if (sealed === undefined) return;
  const { day, merchantCode } = sealed.outcome;
  const folder = `day=${day}/merchant=${merchantCode}`;
  terminal.line(`  cd ${shellWord(objects)} && gunzip -c invoices/csv/${folder}/*.gz | head -3`);
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
