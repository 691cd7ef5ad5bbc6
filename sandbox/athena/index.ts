import { FaultBoard } from '../aws/faults.ts';
import type { Faults } from '../aws/faults.ts';
import { startLoopbackServer } from '../aws/loopback-server.ts';
import type { RecordedRequest } from '../aws/service.ts';
import { athenaService } from './athena-service.ts';
import { QueryStore } from './query-store.ts';
import type { QueryExecution } from './query-store.ts';
import { runOnTrino } from './trino-client.ts';

export type { QueryExecution } from './query-store.ts';

export interface AthenaSandboxOptions {
  /** Trino's URL, such as `http://127.0.0.1:8080`. */
  trino: string;
  /** The workgroups that exist. */
  workGroups: readonly string[];
  /** What Trino gets instead of a statement that only Athena knows. Default: each statement as it is. */
  translate?: (statement: string) => string;
  /** The current time, milliseconds since 1970 UTC. Default: the machine's clock. */
  now?: () => number;
}

/** Athena on loopback, for the unchanged AWS SDK. Trino answers the queries. */
export interface AthenaSandbox {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** Every query, by its id. */
  queries: ReadonlyMap<string, QueryExecution>;
  faults: Faults;
  requests: RecordedRequest[];
  /** Cancels the queries that still run, and closes every connection. */
  close(): Promise<void>;
}

/** Starts Athena in front of a Trino that runs. A catalogue has its Athena name in small letters there. */
export async function startAthenaSandbox(options: AthenaSandboxOptions): Promise<AthenaSandbox> {
  const { trino, workGroups, translate = (statement) => statement, now = Date.now } = options;
  const faults = new FaultBoard();
  const requests: RecordedRequest[] = [];
  const queries = new QueryStore(
    ({ query, catalog, database }, signal) =>
      runOnTrino(translate(query), {
        url: trino,
        catalog: catalog.toLowerCase(),
        schema: database,
        signal,
      }),
    now,
  );
  const server = await startLoopbackServer(athenaService(queries, workGroups), 0, { faults, requests, now });
  return {
    url: server.url,
    queries: queries.all,
    faults,
    requests,
    close: async () => {
      await server.close();
      await queries.close();
    },
  };
}
