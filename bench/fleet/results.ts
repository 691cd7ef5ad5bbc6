import type { Comparison, LargeDay } from './probe.ts';
import type { MeasuredGroup } from './month/run-group.ts';
import type { StatementRun } from './month/run-month.ts';
import type { FleetRun } from './run-fleet.ts';
import type { Settings } from './settings.ts';

/** All measurements of a run, as `--json` writes them. */
export interface Results {
  settings: Settings;
  /** ISO 8601, UTC. */
  at: string;
  machine: string;
  fleet: FleetRun;
  comparisons: Comparison[];
  largeDays: LargeDay[];
  /** Left out when no statements were made. */
  stated?: StatementRun | undefined;
  groups: MeasuredGroup[];
}
