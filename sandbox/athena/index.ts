import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { createFaults } from '../aws/faults.ts';
import { jsonTargetService } from '../aws/json-target.ts';
import { startLoopbackServer } from '../aws/loopback-server.ts';
import { epochSeconds, ServiceError, type RecordedRequest, type Service } from '../aws/service.ts';
import { TrinoError, type TrinoAnswer, type TrinoValue } from '../trino/client.ts';

interface QueryRequest {
  query: string;
  workGroup: string;
  database: string;
  catalog: string;
}

interface QueryExecution extends QueryRequest {
  id: string;
  state: 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  submittedAt: Date;
  completedAt?: Date;
  result?: TrinoAnswer;
  failure?: { reason: string; category: number; retryable: boolean };
}

/** Runs a query on the engine. It ends early when the signal aborts. */
export type RunQuery = (request: QueryRequest, signal: AbortSignal) => Promise<TrinoAnswer>;

export interface AthenaSandboxOptions {
  engine: RunQuery;
  workGroups: readonly string[];
  /** What the engine gets instead of a statement that only Athena knows. Default: each statement as it is. */
  translate?: (statement: string) => string;
}

export type AthenaSandbox = Awaited<ReturnType<typeof startAthenaSandbox>>;

/** Starts Athena on loopback, for the unchanged AWS SDK. Each query runs at once: there is no queue. */
export async function startAthenaSandbox({
  engine,
  workGroups,
  translate = (statement) => statement,
}: AthenaSandboxOptions) {
  const faults = createFaults();
  const requests: RecordedRequest[] = [];
  const queries = new Map<string, QueryExecution>();
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  const follow = async (execution: QueryExecution): Promise<void> => {
    try {
      const request = { ...execution, query: translate(execution.query) };
      execution.result = await engine(request, closing.signal);
      execution.state = 'SUCCEEDED';
    } catch (error) {
      execution.state = 'FAILED';
      execution.failure = failureOf(error);
    } finally {
      execution.completedAt = new Date();
    }
  };
  const start = (request: QueryRequest): string => {
    const id = randomUUID();
    const execution: QueryExecution = { ...request, id, state: 'RUNNING', submittedAt: new Date() };
    queries.set(id, execution);
    const work = follow(execution).finally(() => underWay.delete(work));
    underWay.add(work);
    return id;
  };
  const service = athenaService(queries, workGroups, start);
  const server = await startLoopbackServer(service, { faults, requests, now: Date.now });
  return {
    url: server.url,
    queries,
    faults,
    /** Cancels the queries that still run, and closes every connection. */
    close: async () => {
      await server.close();
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

/** A failure in the words of Athena: the name of the error, a colon and its message. */
function failureOf(error: unknown): NonNullable<QueryExecution['failure']> {
  if (!(error instanceof TrinoError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: `GENERIC_INTERNAL_ERROR: ${message}`, category: 1, retryable: true };
  }
  // Athena's categories: 1 is its own, 2 the user's, 3 another.
  const categories: Record<string, number> = { INTERNAL_ERROR: 1, USER_ERROR: 2 };
  return {
    reason: error.message,
    category: categories[error.type] ?? 3,
    retryable: error.type !== 'USER_ERROR',
  };
}

/** Athena's limit for the text of a query, bytes. */
export const MOST_QUERY_BYTES = 262_144;

const startQueryExecution = z.object({
  QueryString: z
    .string()
    .min(1)
    .refine((text) => Buffer.byteLength(text) <= MOST_QUERY_BYTES, 'Query string is too long.'),
  ClientRequestToken: z.string().min(32).max(128),
  QueryExecutionContext: z.object({ Database: z.string(), Catalog: z.string() }),
  WorkGroup: z.string(),
});
const ofQuery = z.object({ QueryExecutionId: z.string() });
const getQueryResults = ofQuery.extend({ MaxResults: z.int().min(1).max(1_000) });
const anyKey = z.object({ QueryString: z.string().optional(), QueryExecutionId: z.string().optional() });

/** @param workGroups those that exist; a query in any other is refused */
function athenaService(
  queries: ReadonlyMap<string, QueryExecution>,
  workGroups: readonly string[],
  start: (request: QueryRequest) => string,
): Service {
  const byToken = new Map<string, string>();
  const found = (id: string): QueryExecution => {
    const execution = queries.get(id);
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
        const { Database: database, Catalog: catalog } = QueryExecutionContext;
        // A token that was used before gives the query of that time.
        const QueryExecutionId =
          byToken.get(ClientRequestToken) ??
          start({ query: QueryString, workGroup: WorkGroup, database, catalog });
        byToken.set(ClientRequestToken, QueryExecutionId);
        return { QueryExecutionId };
      },
      GetQueryExecution: (input) => ({
        QueryExecution: described(found(read(ofQuery, input).QueryExecutionId)),
      }),
      GetQueryResults: (input) => {
        const { QueryExecutionId, MaxResults } = read(getQueryResults, input);
        return firstRows(found(QueryExecutionId), MaxResults);
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

function described({ id, query, workGroup, state, submittedAt, completedAt, failure }: QueryExecution) {
  return {
    QueryExecutionId: id,
    Query: query,
    WorkGroup: workGroup,
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
  };
}

/** The names of the columns are the first row of a query's result. A null has no text. */
function firstRows({ state, result }: QueryExecution, most: number): object {
  if (result === undefined) throw invalid(`The query has no result. Its state: ${state}`);
  const names = result.columns.map(({ name }) => name);
  return {
    ResultSet: {
      Rows: [names, ...result.rows].slice(0, most).map((cells) => ({
        Data: cells.map((cell) => (cell === null ? {} : { VarCharValue: textOf(cell) })),
      })),
    },
  };
}

function textOf(cell: TrinoValue): string {
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
