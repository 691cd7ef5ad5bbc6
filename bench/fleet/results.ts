import type { Comparison, LargeDay } from './probe.ts';
import type { FleetRun } from './run-fleet.ts';
import type { Settings } from './settings.ts';

/** Everything that a run has measured, as `--json` writes it. */
export interface Results {
  settings: Settings;
  /** ISO 8601, UTC. */
  at: string;
  machine: string;
  fleet: FleetRun;
  comparisons: Comparison[];
  largeDays: LargeDay[];
}
