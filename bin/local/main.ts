import { join, resolve } from 'node:path';
import { BuildError } from '#scripts/build.ts';
import { buildFunctions, whyToBuild, FunctionFailure } from './functions/function-environments.ts';
import {
  printNextSteps,
  printPlaces,
  printServing,
  printFailures,
  printRemarks,
  printSummary,
} from './terminal/closing-words.ts';
import { NAMES, claimDirectory } from './directory.ts';
import { localMerchants, merchantDay } from './merchants.ts';
import { run } from './run.ts';
import { presentLocalStage, writeServingFile } from './serving/local-stage.ts';
import { startServices } from './services.ts';
import type { Services } from './services.ts';
import { readSettings } from './settings.ts';
import { inboxOf } from '../mail-pages/mails.ts';
import { UsageError } from '../daybook/terminal/command-errors.ts';
import { endAtSignals, terminalOn } from './terminal/terminal.ts';
import type { Terminal } from './terminal/terminal.ts';
import { writeMailPages } from './mail-files.ts';

async function buildWhereNeeded(terminal: Terminal): Promise<void> {
  const why = whyToBuild();
  if (why === undefined) return;
  terminal.begin('build', `the functions, because ${why}; this takes some seconds`);
  const began = performance.now();
  await buildFunctions();
  const took = terminal.style('dim', `${((performance.now() - began) / 1_000).toFixed(1)} s`);
  terminal.step('build', `the functions are built  ${took}`);
}

async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const settings = readSettings(args);
  if (settings === 'help') return 0;
  const now = Date.now();
  const directory = resolve(settings.directory);
  const days = localMerchants(settings.merchants).map((merchant) => merchantDay(merchant, settings.day, now));
  const mails = join(directory, NAMES.mails);
  // First, so that a port in use is reported before anything is done or removed.
  const inbox = settings.serve
    ? await (await import('../mail-pages/server.ts')).openMailPages(inboxOf(mails), settings.port)
    : undefined;

  let services: Services | undefined;
  try {
    const release = claimDirectory(directory, settings.fresh);
    await buildWhereNeeded(terminal);
    const { merchants, latency } = settings;
    services = await startServices({ directory, merchants, latency, operator: inbox !== undefined });
    const rows = await run(terminal, services, { settings, days, now });
    await services.announced();
    const mailCount = await writeMailPages(mails);
    if (inbox === undefined) {
      await services.close();
      release();
    }

    printSummary(terminal, rows);
    printRemarks(terminal, rows);
    printPlaces(terminal, directory, mailCount);
    const failures = rows.filter(({ outcome }) => 'failure' in outcome);
    printNextSteps(terminal, directory, settings);
    if (failures.length > 0) terminal.line();
    printFailures(terminal, failures);
    if (inbox !== undefined) {
      const stopWork = await serveStage(services, directory, terminal);
      printServing(terminal, directory, inbox.url);
      await inbox.closed;
      await stopWork();
    }
    return failures.length > 0 ? 1 : 0;
  } finally {
    await services?.close();
    await inbox?.close();
  }
}

/** From here on `daybook --local` works with this run. The directory stays claimed, because the sandboxes use it. */
async function serveStage(
  { sandboxes: { aws }, functions: { invoke }, environment }: Services,
  directory: string,
  terminal: Terminal,
): Promise<() => Promise<void>> {
  const { startLocalWork } = await import('./serving/local-stage.ts');
  presentLocalStage(aws, { environment, invoke });
  writeServingFile(directory, aws.environment);
  return startLocalWork(aws, invoke, terminal.step);
}

/** One line for an error that a person can correct; a stack for any other. */
function complaintOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof BuildError) return `build: ${error.message}`;
  if (error instanceof FunctionFailure)
    return `${error.functionName} failed: ${error.name}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

const terminal = terminalOn(process.stdout, process.stderr);
// The reader of the output may stop reading, as `head` does.
process.stdout.on('error', () => process.exit(0));
endAtSignals(terminal);
try {
  process.exitCode = await main(process.argv.slice(2), terminal);
} catch (error) {
  terminal.complain(complaintOf(error));
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
