import { once } from 'node:events';
import { createServer } from 'node:http';
import { onTestFinished, expect, test, vi } from 'vitest';
import { portOf } from '#sandbox/ports.ts';
import {
  AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
  type QueryExecution,
} from '@aws-sdk/client-athena';
import { onTrino, startAthenaSandbox, type AthenaSandboxOptions } from '#sandbox/athena/index.ts';
import { defined } from '#support/assertions/defined.ts';

/** The pages of one statement. A page without an end lasts until the statement is cancelled. */
type Pages = readonly Record<string, unknown>[] | 'never ends';

/** A statement that arrived, with the names it is to be run under. */
interface ArrivedStatement {
  sql: string;
  catalog: string | undefined;
  schema: string | undefined;
}

/** A server with the protocol of Trino that answers each statement with prepared pages. */
interface ScriptedTrino {
  url: string;
  arrived: ArrivedStatement[];
  cancelled: string[];
}

async function scriptedTrino(answer: (sql: string) => Pages): Promise<ScriptedTrino> {
  const arrived: ArrivedStatement[] = [];
  const cancelled: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      if (request.method === 'DELETE') {
        cancelled.push(path);
        response.writeHead(204).end();
        return;
      }
      const [, statement, page] = /^\/v1\/statement\/(\d+)\/(\d+)$/.exec(path) ?? [];
      if (statement === undefined) {
        const [catalog, schema] = ['catalog', 'schema'].map((what) =>
          String(request.headers[`x-trino-${what}`]),
        );
        arrived.push({ sql: Buffer.concat(chunks).toString(), catalog, schema });
      }
      const number = statement === undefined ? arrived.length - 1 : Number(statement);
      const at = Number(page ?? 0);
      const pages = answer(arrived[number]?.sql ?? '');
      const nextUri = `http://127.0.0.1:${portOf(server)}/v1/statement/${number}/${at + 1}`;
      const stats = { cpuTimeMillis: 0, physicalInputBytes: 0 };
      const body =
        pages === 'never ends'
          ? { stats, nextUri }
          : { stats, ...pages[at], ...(at + 1 < pages.length && { nextUri }) };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, arrived, cancelled };
}

async function athenaOver(answer: (sql: string) => Pages, more: Partial<AthenaSandboxOptions> = {}) {
  const trino = await scriptedTrino(answer);
  const workGroups = ['daybook-dev'];
  const sandbox = await startAthenaSandbox({ engine: onTrino(trino.url), workGroups, ...more });
  const client = new AthenaClient({
    endpoint: sandbox.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
    maxAttempts: 1,
  });
  onTestFinished(async () => {
    client.destroy();
    await sandbox.close();
  });
  const start = async (QueryString: string, ClientRequestToken?: string) => {
    const { QueryExecutionId } = await client.send(
      new StartQueryExecutionCommand({
        QueryString,
        WorkGroup: 'daybook-dev',
        QueryExecutionContext: { Database: 'daybook_dev', Catalog: 'AwsDataCatalog' },
        ClientRequestToken,
      }),
    );
    return defined(QueryExecutionId);
  };
  const execution = async (QueryExecutionId: string): Promise<QueryExecution> =>
    defined((await client.send(new GetQueryExecutionCommand({ QueryExecutionId }))).QueryExecution);
  const ended = (id: string) =>
    vi.waitFor(async () => {
      const found = await execution(id);
      expect(found.Status?.State).not.toBe('RUNNING');
      return found;
    });
  const results = (QueryExecutionId: string, NextToken?: string, MaxResults?: number) =>
    client.send(new GetQueryResultsCommand({ QueryExecutionId, NextToken, MaxResults }));
  return { trino, client, start, execution, ended, results };
}

/** A column as Trino describes it. @param type such as `decimal(38,3)` */
function column(name: string, type: string, args: unknown[] = []) {
  return { name, type, typeSignature: { rawType: type.replace(/\(.*$/, ''), arguments: args } };
}

const COLUMNS = [
  column('merchant_code', 'varchar'),
  column('amount', 'decimal(38,3)'),
  column('balanced', 'boolean'),
  column('states', 'array(varchar)', [{ kind: 'TYPE', value: { rawType: 'varchar', arguments: [] } }]),
];

test('a query answers with the names of its columns first, and texts', async () => {
  const stats = { cpuTimeMillis: 5, physicalInputBytes: 1_234 };
  const { trino, start, ended, results } = await athenaOver(() => [
    {},
    { columns: COLUMNS, data: [['700001', '123456789012345678901234567890.125', true, ['paid', null]]] },
    { columns: COLUMNS, data: [['700002', null, false, []]], stats },
  ]);
  const id = await start('SELECT 1');
  const found = await ended(id);
  expect(found).toMatchObject({
    QueryExecutionId: id,
    Query: 'SELECT 1',
    StatementType: 'DML',
    WorkGroup: 'daybook-dev',
    QueryExecutionContext: { Database: 'daybook_dev', Catalog: 'awsdatacatalog' },
    Status: { State: 'SUCCEEDED' },
    Statistics: { DataScannedInBytes: 1_234 },
  });
  expect(found.Status).not.toHaveProperty('StateChangeReason');
  expect(trino.arrived).toEqual([{ sql: 'SELECT 1', catalog: 'awsdatacatalog', schema: 'daybook_dev' }]);

  const { ResultSet } = await results(id);
  expect(ResultSet?.Rows?.map(({ Data }) => Data?.map(({ VarCharValue }) => VarCharValue))).toEqual([
    ['merchant_code', 'amount', 'balanced', 'states'],
    ['700001', '123456789012345678901234567890.125', 'true', '[paid, null]'],
    ['700002', undefined, 'false', '[]'],
  ]);
  expect(ResultSet?.ResultSetMetadata?.ColumnInfo).toMatchObject([
    { Name: 'merchant_code', Type: 'varchar' },
    { Name: 'amount', Type: 'decimal' },
    { Name: 'balanced', Type: 'boolean' },
    { Name: 'states', Type: 'array' },
  ]);
});

test('a number keeps every digit', async () => {
  const data = [[JSON.rawJSON('9223372036854775807')]];
  const { start, ended, results } = await athenaOver(() => [{ columns: [column('n', 'bigint')], data }]);
  const id = await start('SELECT n');
  await ended(id);
  const { ResultSet } = await results(id);
  expect(ResultSet?.Rows?.[1]?.Data).toEqual([{ VarCharValue: '9223372036854775807' }]);
});

test('results come in pages, and the header counts as a row', async () => {
  const rows = Array.from({ length: 5 }, (_, index) => [String(index)]);
  const answer = { columns: [column('n', 'varchar')], data: rows };
  const { start, ended, results } = await athenaOver(() => [answer]);
  const id = await start('SELECT n');
  await ended(id);
  const seen: unknown[] = [];
  let token: string | undefined;
  do {
    const page = await results(id, token, 2);
    seen.push(page.ResultSet?.Rows?.map(({ Data }) => Data?.[0]?.VarCharValue));
    token = page.NextToken;
  } while (token !== undefined);
  expect(seen).toEqual([
    ['n', '0'],
    ['1', '2'],
    ['3', '4'],
  ]);
});

test('a statement that writes has a count and no rows', async () => {
  const { start, ended, results } = await athenaOver(() => [
    { columns: [column('rows', 'bigint')], data: [[7]], updateType: 'MERGE', updateCount: 7 },
  ]);
  const id = await start('MERGE INTO days_history');
  await ended(id);
  expect(await results(id)).toMatchObject({ UpdateCount: 7, ResultSet: { Rows: [] } });
});

test.each([
  ['EXTERNAL', 'ICEBERG_COMMIT_ERROR', 'Failed to commit Iceberg update to table: a', 3, true],
  ['USER_ERROR', 'COLUMN_NOT_FOUND', "Column 'x' cannot be resolved", 2, false],
  ['INTERNAL_ERROR', 'GENERIC_INTERNAL_ERROR', 'broken', 1, true],
])(
  'a failure of the kind %s has its reason as Athena gives it',
  async (errorType, errorName, message, ErrorCategory, Retryable) => {
    const error = { errorName, errorType, message };
    const { start, ended, results } = await athenaOver(() => [{}, { error }]);
    const id = await start('MERGE INTO a');
    expect((await ended(id)).Status).toMatchObject({
      State: 'FAILED',
      StateChangeReason: `${errorName}: ${message}`,
      AthenaError: { ErrorCategory, Retryable, ErrorMessage: `${errorName}: ${message}` },
    });
    await expect(results(id)).rejects.toMatchObject({
      name: 'InvalidRequestException',
      message: 'Query did not finish successfully. Final query state: FAILED',
    });
  },
);

test('a query can be stopped, in the engine, too', async () => {
  const { trino, client, start, execution, ended, results } = await athenaOver(() => 'never ends');
  const QueryExecutionId = await start('SELECT 1');
  expect((await execution(QueryExecutionId)).Status?.State).toBe('RUNNING');
  await expect(results(QueryExecutionId)).rejects.toMatchObject({
    message: 'Query has not yet finished. Current state: RUNNING',
  });
  await client.send(new StopQueryExecutionCommand({ QueryExecutionId }));
  expect((await ended(QueryExecutionId)).Status?.State).toBe('CANCELLED');
  expect(trino.cancelled).toHaveLength(1);
});

test('the same token starts a query once', async () => {
  const { trino, start } = await athenaOver(() => [{}]);
  const token = 'the-same-token-of-at-least-32-characters';
  expect(await start('SELECT 1', token)).toBe(await start('SELECT 1', token));
  expect(await start('SELECT 1')).not.toBe(await start('SELECT 1'));
  expect(trino.arrived.length).toBeLessThanOrEqual(3);
});

test('a statement that only Athena knows reaches the engine in its translation', async () => {
  const { trino, start, ended } = await athenaOver(() => [{}], {
    translate: (sql) => (sql === 'VACUUM a' ? 'ALTER TABLE a EXECUTE expire_snapshots' : sql),
  });
  const id = await start('VACUUM a');
  expect((await ended(id)).Query).toBe('VACUUM a');
  await ended(await start('SELECT 1'));
  expect(trino.arrived.map(({ sql }) => sql)).toEqual(['ALTER TABLE a EXECUTE expire_snapshots', 'SELECT 1']);
});

test.each([
  ['an unknown workgroup', { QueryString: 'SELECT 1', WorkGroup: 'x' }],
  ['a query of more than 262,144 bytes', { QueryString: 'x'.repeat(262_145), WorkGroup: 'daybook-dev' }],
  ['an empty query', { QueryString: '', WorkGroup: 'daybook-dev' }],
])('%s is refused', async (_, input) => {
  const { client, trino } = await athenaOver(() => [{}]);
  await expect(client.send(new StartQueryExecutionCommand(input))).rejects.toMatchObject({
    name: 'InvalidRequestException',
    $metadata: { httpStatusCode: 400 },
  });
  expect(trino.arrived).toEqual([]);
});

test('an unknown query is refused', async () => {
  const { execution } = await athenaOver(() => [{}]);
  await expect(execution('x')).rejects.toMatchObject({ name: 'InvalidRequestException' });
});
