import { randomUUID } from 'node:crypto';
import { TrinoError } from '../trino/client.ts';
import type { TrinoAnswer } from '../trino/client.ts';

export type QueryState = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

/** What a client asked for. */
export interface QueryRequest {
  query: string;
  workGroup: string;
  database: string;
  catalog: string;
}

/** One query, from its start to after its end. */
export interface QueryExecution extends QueryRequest {
  id: string;
  state: QueryState;
  submittedAt: Date;
  completedAt?: Date;
  result?: TrinoAnswer;
  failure?: { reason: string; category: number; retryable: boolean };
}

/** Runs a query on the engine. It ends early when the signal aborts. */
export type RunQuery = (request: QueryRequest, signal: AbortSignal) => Promise<TrinoAnswer>;

/** Athena's categories of failures. */
const SYSTEM = 1;
const USER = 2;
const OTHER = 3;

/** All queries of a sandbox. Each runs at once: there is no queue. */
export class QueryStore {
  readonly all = new Map<string, QueryExecution>();
  readonly #run: RunQuery;
  readonly #now: () => number;
  readonly #stops = new Map<string, AbortController>();
  readonly #byToken = new Map<string, string>();
  readonly #underWay = new Set<Promise<void>>();

  constructor(run: RunQuery, now: () => number) {
    this.#run = run;
    this.#now = now;
  }

  /** Starts a query. A token that was used before gives the query of that time. @returns its id */
  start(request: QueryRequest, token?: string): string {
    const before = token === undefined ? undefined : this.#byToken.get(token);
    if (before !== undefined) return before;
    const id = randomUUID();
    if (token !== undefined) this.#byToken.set(token, id);
    const execution: QueryExecution = {
      ...request,
      id,
      state: 'RUNNING',
      submittedAt: new Date(this.#now()),
    };
    this.all.set(id, execution);
    const stop = new AbortController();
    this.#stops.set(id, stop);
    const work = this.#follow(execution, stop.signal).finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    return id;
  }

  /** Cancels a query that still runs. */
  stop(id: string): void {
    this.#stops.get(id)?.abort();
  }

  /** Cancels every query, and waits for all of them. */
  async close(): Promise<void> {
    for (const stop of this.#stops.values()) stop.abort();
    await Promise.all(this.#underWay);
  }

  async #follow(execution: QueryExecution, signal: AbortSignal): Promise<void> {
    try {
      execution.result = await this.#run(execution, signal);
      execution.state = 'SUCCEEDED';
    } catch (error) {
      execution.state = signal.aborted ? 'CANCELLED' : 'FAILED';
      if (!signal.aborted) execution.failure = failureOf(error);
    } finally {
      execution.completedAt = new Date(this.#now());
      this.#stops.delete(execution.id);
    }
  }
}

/** A failure in the words of Athena: the name of the error, a colon and its message. */
function failureOf(error: unknown): NonNullable<QueryExecution['failure']> {
  if (!(error instanceof TrinoError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: `GENERIC_INTERNAL_ERROR: ${message}`, category: SYSTEM, retryable: true };
  }
  const categories: Record<string, number> = { USER_ERROR: USER, INTERNAL_ERROR: SYSTEM };
  return {
    reason: error.message,
    category: categories[error.type] ?? OTHER,
    retryable: error.type !== 'USER_ERROR',
  };
}
