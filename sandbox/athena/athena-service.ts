import { randomUUID } from 'node:crypto';
import { TrinoError, type TrinoAnswer } from '#sandbox/trino/client.ts';
import * as z from 'zod';
import { epochSeconds, ServiceError, type Service } from '#sandbox/aws/service.ts';
import { jsonTargetService } from '#sandbox/aws/json-target.ts';

export type QueryState = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLED';

export interface QueryRequest {
  query: string;
  workGroup: string;
  database: string;
  catalog: string;
}

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

/**
 * The text of a cell in a result of Athena; `undefined` for null. Lists and rows are written as Athena writes them:
 * `[a, b]`, `{name=a}`.
 */
function cellText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return `[${value.map(insideText).join(', ')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, member]) => `${name}=${insideText(member)}`);
    return `{${members.join(', ')}}`;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function insideText(value: unknown): string {
  return cellText(value) ?? 'null';
}

/** Athena's limit for the text of a query, bytes. */
export const MOST_QUERY_BYTES = 262_144;
const MOST_ROWS_A_PAGE = 1_000;

const startQueryExecution = z.object({
  QueryString: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= MOST_QUERY_BYTES, 'Query string is too long.'),
  ClientRequestToken: z.string().min(32).max(128).optional(),
  QueryExecutionContext: z
    .object({ Database: z.string().optional(), Catalog: z.string().optional() })
    .default({}),
  WorkGroup: z.string().default('primary'),
});
const ofQuery = z.object({ QueryExecutionId: z.string() });
const getQueryResults = ofQuery.extend({
  MaxResults: z.int().min(1).max(MOST_ROWS_A_PAGE).default(MOST_ROWS_A_PAGE),
  NextToken: z.coerce.number().int().min(0).default(0),
});
const anyKey = z.object({ QueryString: z.string().optional(), QueryExecutionId: z.string().optional() });

/** @param workGroups those that exist; a query in any other is refused */
export function athenaService(queries: QueryStore, workGroups: readonly string[]): Service {
  const found = (id: string): QueryExecution => {
    const execution = queries.all.get(id);
    if (execution === undefined) throw invalid(`QueryExecution ${id} was not found`);
    return execution;
  };
  return jsonTargetService({
    name: 'athena',
    version: '1.1',
    target: 'AmazonAthena',
    keyOf: (input) => {
      const named = anyKey.safeParse(input).data;
      return named?.QueryString ?? named?.QueryExecutionId;
    },
    operations: {
      StartQueryExecution: (input) => {
        const { QueryString, ClientRequestToken, QueryExecutionContext, WorkGroup } = read(
          startQueryExecution,
          input,
        );
        if (!workGroups.includes(WorkGroup)) throw invalid(`WorkGroup ${WorkGroup} is not found.`);
        const { Database = 'default', Catalog = 'AwsDataCatalog' } = QueryExecutionContext;
        const request = {
          query: QueryString,
          workGroup: WorkGroup,
          database: Database,
          catalog: Catalog,
        };
        return { QueryExecutionId: queries.start(request, ClientRequestToken) };
      },
      GetQueryExecution: (input) => ({
        QueryExecution: described(found(read(ofQuery, input).QueryExecutionId)),
      }),
      StopQueryExecution: (input) => {
        queries.stop(found(read(ofQuery, input).QueryExecutionId).id);
        return {};
      },
      GetQueryResults: (input) => {
        const { QueryExecutionId, MaxResults, NextToken } = read(getQueryResults, input);
        return resultPage(found(QueryExecutionId), NextToken, MaxResults);
      },
    },
  });
}

function read<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw invalid(z.prettifyError(result.error));
}

function invalid(message: string): ServiceError {
  return new ServiceError(400, 'InvalidRequestException', message);
}

function described(execution: QueryExecution): Record<string, unknown> {
  const { id, query, workGroup, database, catalog, state, submittedAt, completedAt, result, failure } =
    execution;
  const milliseconds = (completedAt ?? submittedAt).getTime() - submittedAt.getTime();
  return {
    QueryExecutionId: id,
    Query: query,
    StatementType: statementType(query),
    QueryExecutionContext: { Database: database, Catalog: catalog.toLowerCase() },
    WorkGroup: workGroup,
    EngineVersion: {
      SelectedEngineVersion: 'Athena engine version 3',
      EffectiveEngineVersion: 'Athena engine version 3',
    },
    Status: {
      State: state,
      SubmissionDateTime: epochSeconds(submittedAt),
      ...(completedAt !== undefined && { CompletionDateTime: epochSeconds(completedAt) }),
      ...(failure !== undefined && {
        StateChangeReason: failure.reason,
        AthenaError: {
          ErrorCategory: failure.category,
          Retryable: failure.retryable,
          ErrorMessage: failure.reason,
        },
      }),
    },
    Statistics: {
      DataScannedInBytes: result?.stats.physicalInputBytes ?? 0,
      EngineExecutionTimeInMillis: milliseconds,
      TotalExecutionTimeInMillis: milliseconds,
    },
  };
}

function statementType(query: string): 'DDL' | 'DML' | 'UTILITY' {
  const [, first = ''] = /^\s*(\w+)/.exec(query.toUpperCase()) ?? [];
  if (['CREATE', 'ALTER', 'DROP', 'MSCK'].includes(first)) return 'DDL';
  if (['EXPLAIN', 'DESCRIBE', 'SHOW', 'DESC'].includes(first)) return 'UTILITY';
  return 'DML';
}

/** Rows from `start` on. The names of the columns are the first row of a query's result. */
function resultPage({ id, state, result, query }: QueryExecution, start: number, most: number): object {
  if (state === 'FAILED' || state === 'CANCELLED') {
    throw invalid(`Query did not finish successfully. Final query state: ${state}`);
  }
  if (result === undefined) throw invalid(`Query has not yet finished. Current state: ${state}`);
  if (result.updateType !== undefined) {
    return {
      UpdateCount: result.updateCount ?? 0,
      ResultSet: { Rows: [], ResultSetMetadata: { ColumnInfo: [] } },
    };
  }
  const names = result.columns.map(({ name }) => name);
  // SHOW and DESCRIBE have no such row.
  const all = statementType(query) === 'DML' ? [names, ...result.rows] : result.rows;
  if (start > all.length) throw invalid(`The token of ${id} is not valid.`);
  const end = start + most;
  return {
    UpdateCount: 0,
    ResultSet: {
      Rows: all.slice(start, end).map((cells) => ({
        Data: cells.map((cell) => {
          const text = cellText(cell);
          return text === undefined ? {} : { VarCharValue: text };
        }),
      })),
      ResultSetMetadata: {
        ColumnInfo: result.columns.map(({ name, type }) => ({
          CatalogName: 'hive',
          SchemaName: '',
          TableName: '',
          Name: name,
          Label: name,
          Type: type.replace(/\(.*$/, ''),
          Nullable: 'UNKNOWN',
          CaseSensitive: type.startsWith('varchar'),
        })),
      },
    },
    ...(end < all.length && { NextToken: String(end) }),
  };
}
