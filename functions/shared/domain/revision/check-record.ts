import type { Day } from '../day/business-day.ts';

/**
 * The result of a day's last pull, stored under `checked/…` (docs/interfaces.md, 6 Objects). Times are ISO
 * 8601 in UTC.
 */
export interface CheckRecord {
  merchantCode: string;
  day: Day;
  checkedAt: string;
  /** `null` when the pull failed. */
  pull: string | null;
  outcome: 'sealed' | 'unchanged' | 'failed';
  /** The newest sealed revision after this run, `null` when there is none. */
  revision: number | null;
  scheduledTime: string | null;
  /** The name of the error of a failed pull. */
  error: string | null;
  /** When the service's figures were last known to be those of `revision`. */
  asOf: string | null;
}
