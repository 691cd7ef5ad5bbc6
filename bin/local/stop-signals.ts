import type { Terminal } from './terminal/terminal.ts';

/** Signal numbers, of which a shell makes the exit status: 128 and the number. */
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Ends the process at Ctrl-C, whatever it does. Everything that runs is a thread or a socket of this process and ends
 * with it; what an interrupted run leaves on the disk the next run takes up.
 */
export function endAtSignals(terminal: Terminal): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      terminal.complain('stopped');
      process.exit(128 + NUMBERS[signal]);
    });
  }
}
