import type { FunctionEnvironments } from '../functions/function-environments.ts';
import type { Sandboxes } from '../sandboxes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What the demonstration works with: the sandboxes and functions that made the reports. */
export interface Stage {
  terminal: Terminal;
  sandboxes: Sandboxes;
  functions: FunctionEnvironments;
}
