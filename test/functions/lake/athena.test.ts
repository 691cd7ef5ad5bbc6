import { AthenaClient } from '@aws-sdk/client-athena';
import { Athena, MORE_RUNS, OutOfTimeError, StatementFailedError } from '#lake/athena.ts';
import { startAthenaSandbox, type AthenaSandbox, type RunQuery } from '#sandbox/athena/index.ts';
import { TrinoError } from '#sandbox/trino/index.ts';

const stats = { cpuMillis: 0, physicalInputBytes: 0 };
const WORK_GROUP = 'daybook-dev-history';

let sandbox: AthenaSandbox | undefined;
afterEach(() => sandbox?.close());

/**
 * @param remaining of the invocation, milliseconds. Each pause takes as long as it says on its clock
 * @returns the pauses as `slept`, milliseconds
 */
async function startWorld(engine: RunQuery, remaining = 900_000) {
  const started = await startAthenaSandbox({ engine, workGroups: [WORK_GROUP] });
  sandbox = started;
  const slept: number[] = [];
  let now = Date.parse('2026-11-23T08:50:00Z');
  const clock = {
    now: () => now,
    sleep: (milliseconds: number) => {
      slept.push(milliseconds);
      now += milliseconds;
      return new Promise<void>((resolve) => setTimeout(resolve, 2));
    },
  };
  const client = new AthenaClient({
    endpoint: started.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
  });
  const athena = new Athena({ client, clock, database: 'daybook_dev', workGroup: WORK_GROUP });
  athena.begin(remaining);
  const { queries, faults } = started;
  return { athena, queries, faults, slept };
}

/** An engine that fails some times, then answers one row. */
function failing(times: number, error: Error): RunQuery {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) return Promise.reject(error);
    const columns = ['a', 'b'].map((name) => ({ name, type: 'varchar' }));
    return Promise.resolve({ columns, rows: [['one', null]], stats });
  };
}

const lostCommit = new TrinoError('ICEBERG_COMMIT_ERROR', 'Failed to commit', 'EXTERNAL');

it('asks in the workgroup and the database of the history, and reads the row by its columns', async () => {
  const { athena, queries } = await startWorld(failing(0, lostCommit));
  expect(await athena.row('Look', 'SELECT 1')).toEqual({ a: 'one', b: undefined });
  expect([...queries.values()]).toMatchObject([
    { workGroup: WORK_GROUP, database: 'daybook_dev', catalog: 'AwsDataCatalog' },
  ]);
});

it('tries a lost commit again, after a random wait that grows', async () => {
  const { athena, queries, slept } = await startWorld(failing(4, lostCommit));
  await athena.run('Merge', 'MERGE INTO a');
  expect(queries.size).toBe(5);
  expect(Math.max(...slept)).toBeLessThanOrEqual(80_000);
});

it('gives up after four retries, and says what, why and where to read on, but nothing of the data', async () => {
  const { athena, queries } = await startWorld(failing(9, lostCommit));
  const failure = await athena.run('Merge the days', 'MERGE INTO a').catch((error: unknown) => error);
  const id = [...queries.keys()].at(-1);
  expect(queries.size).toBe(5);
  expect(failure).toBeInstanceOf(StatementFailedError);
  const message = `Merge the days: ICEBERG_COMMIT_ERROR, see the query ${id ?? ''} in Athena`;
  expect(failure).toMatchObject({ message, code: 'ICEBERG_COMMIT_ERROR', queryId: id });
});

it('goes on with OPTIMIZE as often as Athena asks for it', async () => {
  const more = new TrinoError('ICEBERG_OPTIMIZE_MORE_RUNS_NEEDED', 'run it again', 'USER_ERROR');
  const { athena, queries } = await startWorld(failing(7, more), 3_600_000);
  await athena.run('Join', 'OPTIMIZE a', MORE_RUNS);
  expect(queries.size).toBe(8);
});

it('does not try again what the statement itself is to blame for', async () => {
  const secret = new TrinoError('INVALID_CAST_ARGUMENT', "Cannot cast 'Noura' to BOOLEAN", 'USER_ERROR');
  const { athena, queries } = await startWorld(failing(9, secret));
  await expect(athena.run('Merge', 'MERGE INTO a')).rejects.toThrow(
    /^Merge: INVALID_CAST_ARGUMENT, see the query [\w-]{36} in Athena$/,
  );
  expect(queries.size).toBe(1);
});

it('starts a statement once, even if the answer to its start is lost', async () => {
  const { athena, faults, queries } = await startWorld(failing(0, lostCommit));
  faults.add({ operation: 'StartQueryExecution', action: { kind: 'reset', when: 'after' } });
  await athena.run('Merge', 'MERGE INTO a');
  expect(queries.size).toBe(1);
});

it('stops when the time is over, and leaves the statement that is under way', async () => {
  const untilStopped: RunQuery = (_, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  const { athena, queries } = await startWorld(untilStopped, 90_000);
  await expect(athena.run('Merge', 'MERGE INTO a')).rejects.toBeInstanceOf(OutOfTimeError);
  expect([...queries.values()]).toMatchObject([{ state: 'RUNNING' }]);
  // No further one begins.
  await expect(athena.run('Merge', 'MERGE INTO b')).rejects.toBeInstanceOf(OutOfTimeError);
  expect(queries.size).toBe(1);
});
