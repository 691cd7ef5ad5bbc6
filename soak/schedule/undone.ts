import type { PlanEvent } from './executions.ts';

/** What an execution did not do. */
export interface Undone {
  event: PlanEvent;
  /** The tick of the execution. */
  tick: string;
}
