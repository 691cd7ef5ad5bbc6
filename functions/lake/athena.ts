import { randomUUID } from 'node:crypto';
import {
  AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  StartQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import type { QueryExecutionStatus } from '@aws-sdk/client-athena';
import { DaybookError } from '#records/errors/daybook-error.ts';
import { requestHandler } from '#runtime/aws-clients.ts';
import type { Clock } from '#runtime/clock.ts';

/** A statement failed at every attempt. Athena keeps its text and the reason, which may quote data, under `queryId`. */
export class StatementFailedError extends DaybookError {
  override readonly name = 'StatementFailedError';
  readonly statement: string;
  /** Athena's name of the failure, such as `ICEBERG_COMMIT_ERROR`. */
  readonly code: string;
  readonly queryId: string;
  constructor(statement: string, code: string, queryId: string) {
    super(`${statement}: ${code}, see the query ${queryId} in Athena`);
    this.statement = statement;
    this.code = code;
    this.queryId = queryId;
  }
}

/** The time of the invocation is over. The statement that is under way ends by itself, and the next look goes on. */
export class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** A statement that fails because another one won the commit, or because S3 was slow. */
const ORDINARY = 4;
/** OPTIMIZE and VACUUM do a part of a large table, then fail with `ICEBERG_…_MORE_RUNS_NEEDED`. */
export const MORE_RUNS = 30;

/** Milliseconds. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;
/** Before a statement is tried again. Each wait is drawn at random between zero and its limit. Milliseconds. */
const FIRST_WAIT = 10_000;
const LONGEST_WAIT = 120_000;
/** What is left of the invocation for the answer, milliseconds. */
const FOR_THE_ANSWER = 15_000;
/** No statement begins with less left, milliseconds. */
const FOR_A_STATEMENT = 60_000;
/** Athena's category of failures that the statement itself causes, and that come again. */
const BY_THE_STATEMENT = 2;

/** Every statement can be sent again: it has a token. All attempts together take about a minute. */
export function createAthenaClient(): AthenaClient {
  return new AthenaClient({ maxAttempts: 8, requestHandler: requestHandler(10_000) });
}

interface AthenaOptions {
  client: AthenaClient;
  clock: Clock;
  workGroup: string;
  database: string;
}

/** Asks Athena statement by statement, within the time of an invocation. */
export class Athena {
  readonly #options: AthenaOptions;
  #end = Infinity;

  constructor(options: AthenaOptions) {
    this.#options = options;
  }

  /** An invocation begins. @param remaining the milliseconds that it may take */
  begin(remaining: number): void {
    this.#end = this.#options.clock.now() + remaining;
  }

  /**
   * Runs a statement to its end. A failure is tried again, which does no harm: each statement does only what is left to do.
   * @param name what it does, for people
   * @param retries how often it is tried again
   * @returns the id of the query
   * @throws {StatementFailedError} when it failed at every attempt
   * @throws {OutOfTimeError} when the invocation's time is over
   */
  async run(name: string, sql: string, retries = ORDINARY): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      this.#needs(FOR_A_STATEMENT);
      const id = await this.#start(sql);
      const status = await this.#ended(id);
      if (status.State === 'SUCCEEDED') return id;
      const code = /^[A-Z][A-Z0-9_]+(?=:|$)/.exec(status.StateChangeReason ?? '')?.[0];
      const { ErrorCategory: category, Retryable: retryable = false } = status.AthenaError ?? {};
      const comesAgain = category === BY_THE_STATEMENT && !retryable && code?.startsWith('ICEBERG_') !== true;
      if (comesAgain || attempt >= retries) {
        throw new StatementFailedError(name, code ?? status.State ?? 'FAILED', id);
      }
      await this.#sleep(Math.random() * Math.min(FIRST_WAIT * 2 ** attempt, LONGEST_WAIT));
    }
  }

  /** Runs a query that answers one row. @returns its values by their columns; a null has none */
  async row(name: string, sql: string): Promise<Record<string, string | undefined>> {
    const QueryExecutionId = await this.run(name, sql);
    const { ResultSet } = await this.#options.client.send(
      new GetQueryResultsCommand({ QueryExecutionId, MaxResults: 2 }),
    );
    // The first row has the names of the columns.
    const [names = [], values = []] = (ResultSet?.Rows ?? []).map(({ Data = [] }) =>
      Data.map(({ VarCharValue }) => VarCharValue),
    );
    return Object.fromEntries(names.map((column, index) => [column ?? '', values[index]]));
  }

  async #start(sql: string): Promise<string> {
    const { client, workGroup, database } = this.#options;
    const { QueryExecutionId } = await client.send(
      new StartQueryExecutionCommand({
        QueryString: sql,
        WorkGroup: workGroup,
        QueryExecutionContext: { Catalog: 'AwsDataCatalog', Database: database },
        ClientRequestToken: randomUUID(),
      }),
    );
    return QueryExecutionId ?? '';
  }

  async #ended(QueryExecutionId: string): Promise<QueryExecutionStatus> {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      const { QueryExecution } = await this.#options.client.send(
        new GetQueryExecutionCommand({ QueryExecutionId }),
      );
      const status = QueryExecution?.Status ?? {};
      if (status.State !== 'QUEUED' && status.State !== 'RUNNING') return status;
      await this.#sleep(pause);
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    this.#needs(milliseconds + FOR_THE_ANSWER);
    await this.#options.clock.sleep(milliseconds);
  }

  #needs(milliseconds: number): void {
    const left = this.#end - this.#options.clock.now();
    if (left < milliseconds) throw new OutOfTimeError('the time of the invocation is over');
  }
}
