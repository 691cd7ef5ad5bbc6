import { instantOf } from '#records/day/business-day.ts';
import type { FunctionEnvironments } from '../functions/function-environments.ts';
import type { Sandboxes } from '../services.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What the demonstration works with: the sandboxes and functions that made the reports. */
export interface Stage {
  terminal: Terminal;
  sandboxes: Sandboxes;
  functions: FunctionEnvironments;
}

/** The moment of a time of day. @param time `HH:MM` @returns ISO 8601, UTC */
export function instantAt(day: string, time: string, timeZone: string): string {
  return new Date(instantOf(day, time, timeZone)).toISOString().replace('.000Z', 'Z');
}
