import { setTimeout as wait } from 'node:timers/promises';
import { AthenaClient } from '@aws-sdk/client-athena';
import * as z from 'zod';
import { Athena } from '#lake/athena.ts';
import { createLake, type LakeAnswer } from '#lake/create-lake.ts';
import type { LakeSettings } from '#lake/lake-settings.ts';
import { Telemetry } from '#runtime/telemetry.ts';
import { startAthenaSandbox, type AthenaSandbox, type RunQuery } from '#sandbox/athena/index.ts';
import { addDays } from '#records/day/business-day.ts';
import type { AwsSandbox } from '#sandbox/aws/index.ts';
import { TrinoLake, type TrinoValue, type TrinoRow } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/index.ts';
import { synthesise } from '#support/stacks/synthesised.ts';
import { BUCKET, type DaybookWorld } from '#support/world/daybook-world.ts';
import { VIEW_HISTORIES } from '#lake/sql/history-tables.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { BUCKET as HISTORY_BUCKET, type HistoryLake } from './history-lake.ts';
import { TODAY, startLakeWorld, type LakeWorld } from './lake-world.ts';

class CountingTelemetry extends Telemetry {
  readonly counted: Record<string, number> = {};
  override count(metric: string, value: number): void {
    this.counted[metric] = (this.counted[metric] ?? 0) + value;
  }
}

/** What an invocation of `lake` did, and how it ended. */
export interface Invocation {
  answer: LakeAnswer | undefined;
  error: Error | undefined;
  /** The text of every statement that was started, in their order. */
  statements: string[];
  counted: Record<string, number>;
  /** How often it kept what the registry says of merchants. */
  kept: number;
}

interface InvocationOptions {
  /** Is called before every statement but the first, with the one that has ended. What it throws kills the invocation. */
  between?: (ended: string, statements: readonly string[]) => Promise<void> | void;
  /** The milliseconds that each statement takes on the invocation's clock, of which it has 15 minutes. Default: none. */
  statementTakes?: number;
}

const queryInput = z.object({ QueryString: z.string() });

const SETTINGS: LakeSettings = {
  timeZone: 'UTC',
  mergeAt: '08:00',
  maintainOn: 'sunday',
  retention: { dataDays: 30, manifestDays: 60, ledgerDays: 60 },
  groups: [],
};

/** The function `lake` of the stage `dev` on an engine, through Athena's API. */
export class RunningLake {
  readonly athena: AthenaSandbox;
  readonly #settings: LakeSettings;
  readonly #bucket: string;
  /** By default, nobody is registered. */
  merchants: Parameters<typeof createLake>[0]['merchants'] = {
    keep: () => Promise.resolve(),
    forget: () => Promise.resolve(),
  };

  private constructor(athena: AthenaSandbox, settings: LakeSettings, bucket: string) {
    this.athena = athena;
    this.#settings = settings;
    this.#bucket = bucket;
  }

  /** @param translate what the engine gets instead of a statement */
  static async start(
    engine: RunQuery,
    settings: Partial<LakeSettings> = {},
    translate: (sql: string) => string = (sql) => sql,
    bucket = HISTORY_BUCKET,
  ): Promise<RunningLake> {
    const athena = await startAthenaSandbox({ engine, workGroups: ['daybook-dev-history'], translate });
    return new RunningLake(athena, { ...SETTINGS, ...settings }, bucket);
  }

  /** An invocation, to its end. @param now ISO 8601 */
  async run(now: string, event: unknown = {}, options: InvocationOptions = {}): Promise<Invocation> {
    const { between, statementTakes = 0 } = options;
    const statements: string[] = [];
    let time = Date.parse(now);
    const client = new AthenaClient({
      endpoint: this.athena.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'sandbox', secretAccessKey: 'sandbox' },
      maxAttempts: 8,
    });
    client.middlewareStack.add(
      (next) => async (args) => {
        const query = queryInput.safeParse(args.input).data?.QueryString;
        if (query !== undefined) {
          const ended = statements.at(-1);
          if (ended !== undefined) await between?.(ended, statements);
          statements.push(query);
          time += statementTakes;
        }
        return next(args);
      },
      { step: 'initialize' },
    );
    const clock = {
      now: () => time,
      sleep: async (milliseconds: number) => {
        await wait(Math.min(milliseconds, 20));
      },
    };
    const database = 'daybook_dev';
    const athena = new Athena({ client, clock, database, workGroup: 'daybook-dev-history' });
    const telemetry = new CountingTelemetry('lake', 'ERROR');
    telemetry.atBegin((remaining) => {
      athena.begin(remaining);
    });
    const ended = { statements, counted: telemetry.counted, kept: 0 };
    const invoke = createLake({
      ...{ athena, clock, telemetry, database },
      settings: this.#settings,
      merchants: {
        keep: async (at) => {
          ended.kept += 1;
          await this.merchants.keep(at);
        },
        forget: (code) => this.merchants.forget(code),
      },
      bucket: this.#bucket,
    });
    try {
      const answer = await invoke(event);
      return { ...ended, answer, error: undefined };
    } catch (error) {
      if (error instanceof Error) return { ...ended, answer: undefined, error };
      throw error;
    } finally {
      client.destroy();
    }
  }
}

/** The beginnings of an invocation's statements that change the history, without its notes about whole runs. */
export function writes({ statements }: Invocation): string[] {
  return statements
    .filter((sql) => /^(MERGE|INSERT|DELETE)/.test(sql) && !/'(merge|maintenance|maintained) /.test(sql))
    .map((sql) => sql.split('\n')[0] ?? '');
}

export function replaced({ statements }: Invocation): string[] {
  return statements.flatMap((sql) => /^CREATE OR REPLACE VIEW (\w+)/.exec(sql)?.[1] ?? []);
}

export interface LakePlace {
  s3Endpoint: string;
  bucket: string;
  /** What `current_date` says, `YYYY-MM-DD`. */
  today: string;
  /** The first day of the tables. Default: the month before `today`. */
  firstDay?: string;
}

/** The lake of the stage `dev` in the Trino of `npm run test:trino`. @throws {Error} when there is none */
export async function openLake({ s3Endpoint, bucket, today, firstDay }: LakePlace): Promise<TrinoLake> {
  const { DAYBOOK_TRINO: url } = process.env;
  if (url === undefined) throw new Error('these tests need a Trino: npm run test:trino');
  const stage = await synthesise('dev', (settings) => {
    settings.lake.firstDay = firstDay ?? addDays(today, -30);
  });
  return TrinoLake.open({ url, s3Endpoint, bucket, today, template: stage.template('Lake').toJSON() });
}

/** The lake over what a world has stored. */
export function openLakeOf(
  { environment }: Pick<DaybookWorld, 'environment'>,
  more: Partial<LakePlace> = {},
): Promise<TrinoLake> {
  const s3Endpoint = defined(environment['AWS_ENDPOINT_URL_S3']);
  return openLake({ s3Endpoint, bucket: BUCKET, today: TODAY, ...more });
}

/** The lake over what a few days of Daybook leave. Both are closed after the file's tests. */
export async function openLakeWorld(): Promise<{ made: LakeWorld; lake: TrinoLake }> {
  const made = await startLakeWorld();
  const lake = await openLakeOf(made.world);
  afterAll(async () => {
    await lake.close();
    await made.close();
  });
  return { made, lake };
}

/** The keys below these prefixes that were read from S3 while `ask` ran, each once. */
export async function keysOpened(
  { aws }: { aws: AwsSandbox },
  prefixes: readonly string[],
  ask: () => Promise<unknown>,
): Promise<string[]> {
  const before = aws.requests.length;
  await ask();
  const read = aws.requests.slice(before).filter(({ operation }) => operation === 'GetObject');
  const keys = read.map(({ key = '' }) => key);
  return [...new Set(keys.filter((key) => prefixes.some((prefix) => key.startsWith(prefix))))].toSorted();
}

/** A value of an answer as text; what is text already stays as it is. */
export function asText(value: TrinoValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The rows in the order of some columns as text: a query without `ORDER BY` has no order. */
export function sortedRows(rows: readonly TrinoRow[], ...columns: string[]): TrinoRow[] {
  const text = (row: TrinoRow) => columns.map((name) => asText(row[name])).join(' ');
  return rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** Rows that one of two tables, views or queries in brackets has more often, with the count. None: they are equal. */
export async function differing(
  lake: Pick<HistoryLake, 'query'>,
  columns: readonly string[],
  [left, right]: readonly [string, string],
): Promise<TrinoRow[]> {
  const list = columns.map((name) => `"${name}"`).join(', ');
  return lake.query(`SELECT ${list}, sum(n) AS more_on_the_left
    FROM (SELECT ${list}, 1 AS n FROM ${left} UNION ALL SELECT ${list}, -1 FROM ${right})
    GROUP BY ${list}
    HAVING sum(n) <> 0
    LIMIT 5`);
}

/** Every table of the history has the rows of its `latest_*` view, and each as often. */
export async function expectHistoryIsLatest(lake: HistoryLake): Promise<void> {
  for (const { name, columns, latest } of VIEW_HISTORIES) {
    const names = columns.map((column) => column.name);
    expect(await differing(lake, names, [name, latest.name]), name).toEqual([]);
  }
}

/** Views over all time have the rows of their `latest_*` views, and each as often. */
export async function expectAllIsLatest(
  lake: HistoryLake,
  views: readonly string[] = ALL_VIEWS.map(({ name }) => name),
): Promise<void> {
  for (const { name, columns, history } of ALL_VIEWS) {
    if (!views.includes(name)) continue;
    const names = columns.map((column) => column.name);
    expect(await differing(lake, names, [name, history.latest.name]), name).toEqual([]);
  }
}

/** Rows of a page in `days_history` have its revision or a newer one. If they have its revision, all are there. */
export async function expectDaysAreNotAhead(lake: HistoryLake): Promise<void> {
  for (const [table, rows] of [
    ['invoices_history', 'invoice_rows'],
    ['refunds_history', 'refund_rows'],
  ]) {
    const ahead =
      await lake.query(`SELECT d.day, d.merchant_code, d.revision, d.${rows}, r.oldest, r.newest, r.n
      FROM days_history AS d
      JOIN latest_days AS l ON l.day = d.day AND l.merchant_code = d.merchant_code
      LEFT JOIN (
        SELECT day, merchant_code, count(*) AS n, min(revision) AS oldest, max(revision) AS newest
        FROM ${table} GROUP BY day, merchant_code
      ) AS r ON r.day = d.day AND r.merchant_code = d.merchant_code
      WHERE r.oldest < d.revision
        OR (r.newest = d.revision AND r.n <> d.${rows})
        -- Rows may be gone only because a newer revision has none.
        OR (r.n IS NULL AND d.${rows} > 0 AND (l.revision = d.revision OR l.${rows} > 0))`);
    expect(ahead, table).toEqual([]);
  }
}
