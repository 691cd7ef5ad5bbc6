import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAtSignals, terminalOn, UsageError } from '#bin/local/terminal/terminal.ts';
import { USAGE, commandOf, readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { soak } from './soak.ts';
import { promiseLine, summaryLines } from './summary.ts';

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
