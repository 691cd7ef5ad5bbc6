import type { StatementMessage } from '#page/queue-message.ts';
import type { PlanEvent } from './executions.ts';

/** What an execution did not do: the event that repeats its failed reports, or one of its statements. */
export type Undone = { event: PlanEvent } | { statement: StatementMessage };

/** With the tick of the execution. */
export type UndoneOfTick = Undone & { tick: string };
