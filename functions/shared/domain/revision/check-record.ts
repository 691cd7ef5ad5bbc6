import type { Day } from '../day/business-day.ts';

/** How a day's last pull went; stands under `checked/…`. Times are ISO 8601 in UTC. */
export interface CheckRecord {
  merchantCode: string;
  day: Day;
  checkedAt: string;
  /** `null` where the pull failed. */
  pull: string | null;
  outcome: 'sealed' | 'unchanged' | 'failed';
  /** The newest sealed revision after this run, `null` where there is none. */
  revision: number | null;
  scheduledTime: string | null;
  /** The literal name of the error, for a failed pull. */
  error: string | null;
  /** When the service's figures were last known to be those of `revision`. */
  asOf: string | null;
}
