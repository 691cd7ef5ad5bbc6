import { createFaults } from '../aws/faults.ts';
import { startLoopbackServer } from '../aws/loopback-server.ts';
import type { RecordedRequest } from '../aws/service.ts';
import { TrinoClient } from '../trino/client.ts';
import { athenaService, QueryStore, type RunQuery } from './athena-service.ts';

export type { RunQuery } from './athena-service.ts';

export interface AthenaSandboxOptions {
  /** Runs each query, such as {@link onTrino}. */
  engine: RunQuery;
  workGroups: readonly string[];
  /** What Trino gets instead of a statement that only Athena knows. Default: each statement as it is. */
  translate?: (statement: string) => string;
  /** The current time, milliseconds since 1970 UTC. Default: the machine's clock. */
  now?: () => number;
}

export type AthenaSandbox = Awaited<ReturnType<typeof startAthenaSandbox>>;

/** A Trino as the engine. A catalogue has its Athena name in small letters there. @param url `http://127.0.0.1:<port>` */
export function onTrino(url: string): RunQuery {
  return ({ query, catalog, database }, signal) =>
    new TrinoClient({ url, catalog: catalog.toLowerCase(), schema: database }).run(query, signal);
}

/** Starts Athena on loopback, for the unchanged AWS SDK. Trino answers the queries. */
export async function startAthenaSandbox(options: AthenaSandboxOptions) {
  const { engine, workGroups, translate, now = Date.now } = options;
  const faults = createFaults();
  const requests: RecordedRequest[] = [];
  const queries = new QueryStore((request, signal) => {
    const query = translate === undefined ? request.query : translate(request.query);
    return engine({ ...request, query }, signal);
  }, now);
  const server = await startLoopbackServer(athenaService(queries, workGroups), { faults, requests, now });
  return {
    /** `http://127.0.0.1:<port>` */
    url: server.url,
    queries: queries.all,
    faults,
    requests,
    /** Cancels the queries that still run, and closes every connection. */
    close: async () => {
      await server.close();
      await queries.close();
    },
  };
}
