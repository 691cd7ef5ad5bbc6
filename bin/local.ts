import { join, resolve } from 'node:path';
import { BuildError } from '../scripts/build.ts';
import { buildFunctions, whyToBuild } from './local/built-functions.ts';
import { printNextSteps, printPlaces } from './local/closing-words.ts';
import { NAMES, claimDirectory } from './local/directory.ts';
import { writeMailPages } from './local/mail-files.ts';
import { localMerchants, merchantDays } from './local/merchants.ts';
import { run } from './local/run.ts';
import { USAGE, readSettings } from './local/settings.ts';
import { endAtSignals } from './local/stop-signals.ts';
import { printRemarks, printSummary } from './local/summary.ts';
import { terminalOn } from './local/terminal.ts';
import type { Terminal } from './local/terminal.ts';
import { UsageError } from './local/usage-error.ts';

/** Columns, where nobody says how many there are. */
const USUAL_WIDTH = 80;

async function buildWhereNeeded(terminal: Terminal): Promise<void> {
  const why = whyToBuild();
  if (why === undefined) return;
  terminal.progress(`building the functions: ${why}`);
  await buildFunctions();
  terminal.step('build', `the functions are built anew, since ${why}`);
}

/** @returns the exit status */
async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const settings = readSettings(args);
  if (settings === 'help') {
    process.stdout.write(USAGE);
    return 0;
  }
  const now = Date.now();
  const directory = resolve(settings.directory);
  const days = merchantDays(localMerchants(settings.merchants), settings.day, now);
  const claimed = claimDirectory(directory, settings.fresh);
  const mails = join(directory, NAMES.mails);
  // First of all, so that a port that is taken is told before any work is done.
  const inbox = settings.serve
    ? await (await import('./local/inbox/server.ts')).openInbox(mails, settings.port)
    : undefined;

  await buildWhereNeeded(terminal);
  const rows = await run(terminal, { settings, days, directory, now });
  const mailCount = await writeMailPages(mails);
  claimed.release();

  printSummary(terminal, rows, process.stdout.isTTY ? process.stdout.columns : USUAL_WIDTH);
  printRemarks(terminal, rows);
  printPlaces(terminal, directory, mailCount);
  printNextSteps(terminal, directory, { settings, days });
  const failed = rows.filter(({ outcome }) => !('report' in outcome));
  if (failed.length > 0) terminal.line();
  for (const { outcome } of failed) {
    if ('failure' in outcome)
      terminal.complain(`${outcome.merchantCode} ${outcome.day} failed: ${outcome.failure}`);
  }
  if (inbox !== undefined) {
    terminal.line();
    terminal.line(`Inbox: ${inbox.url}  (Ctrl-C ends it)`);
    await inbox.closed;
  }
  return failed.length > 0 ? 1 : 0;
}

const terminal = terminalOn(process.stdout, process.stderr);
// Whoever reads the output may stop reading, as `head` does.
process.stdout.on('error', () => process.exit(0));
endAtSignals(terminal);
try {
  process.exitCode = await main(process.argv.slice(2), terminal);
} catch (error) {
  if (error instanceof UsageError) {
    terminal.complain(error.message);
    process.exitCode = 2;
  } else if (error instanceof BuildError) {
    terminal.complain(`build: ${error.message}`);
    process.exitCode = 1;
  } else {
    terminal.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = 1;
  }
}
