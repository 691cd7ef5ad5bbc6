import type { Terminal } from './terminal/terminal.ts';

/** Signal numbers. A shell's exit status for them is 128 plus the number. */
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Ends the process at Ctrl-C, at any time. Everything that runs is a thread or a socket of this process and ends with it.
 * The next run works with what an interrupted run left on the disk.
 */
export function endAtSignals(terminal: Terminal): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      terminal.complain('stopped');
      process.exit(128 + NUMBERS[signal]);
    });
  }
}
