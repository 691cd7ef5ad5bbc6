import * as z from 'zod';
import { beginStatement, stateStatement, viewStatement, LOOK_COLUMNS } from '#lake/sql/statements/views.ts';
import { SNAPSHOT_DAYS, createTable } from '#lake/sql/statements/tables.ts';
import { askFor, note, noteDaysMerged } from '#lake/sql/statements/notes.ts';
import { look, lookSince } from '#lake/sql/statements/look.ts';
import type { Found } from '#lake/look.ts';
import { slicesSchema, type FoundSlice } from '#lake/merge.ts';
import { mergeDays, mergeMail, mergeRecords, type Slice } from '#lake/sql/statements/merge.ts';
import { HISTORY_TABLES } from '#lake/sql/history-tables.ts';
import { ALL_VIEWS } from '#lake/sql/views/all.ts';
import { startAwsSandbox, type AwsSandbox } from '#sandbox/aws/index.ts';
import type { TrinoLake, TrinoRow } from '#sandbox/trino/index.ts';
import { defined } from '#support/assertions/index.ts';
import type { PutObject } from '#support/pages/generated-lake.ts';
import { openLake } from './running-lake.ts';
import { newDirectory } from '#support/machine.ts';

export const BUCKET = 'daybook-lake';

export function sliceOf(days: readonly string[]): Slice {
  const sorted = days.toSorted();
  return { days: sorted, from: defined(sorted[0]), to: defined(sorted.at(-1)) };
}

/** The statements of a merge of days, in their order. @param mergedAt when it began, ISO 8601 */
export function daysStatements(slice: Slice, mergedAt: string): string[] {
  return [
    mergeRecords('invoices', slice),
    mergeRecords('refunds', slice),
    mergeDays(slice, '2000-01-01'),
    noteDaysMerged(slice, mergedAt),
  ];
}

export function mailStatements(slice: Slice, mergedAt: string): string[] {
  return [mergeMail(slice), note('mail', mergedAt, slice.days)];
}

const TRINO_TYPES: Readonly<Record<string, string>> = {
  string: 'varchar',
  timestamp: 'timestamp(6)',
  'array<string>': 'array(varchar)',
};

function trinoColumns(columns: string): string {
  return columns.replaceAll(
    /`(\w+)` ([^,\n]+?(?:,3\))?)(?=,?$)/gm,
    (_, name: string, type: string) => `"${name}" ${TRINO_TYPES[type] ?? type}`,
  );
}

/** Statements that only Athena knows, in Trino's words. Every other statement is one text for both. */
export function inTrinosWords(sql: string): string {
  return sql
    .replace(
      /^CREATE TABLE IF NOT EXISTS (\S+) \(\n(.+?)\n\)(\nPARTITIONED BY .+?)?\nLOCATION ('\S+')\nTBLPROPERTIES .+$/s,
      (_, name: string, columns: string, partitions: string | undefined, location: string) => {
        const partitioning =
          partitions === undefined
            ? ''
            : ", partitioning = ARRAY['month(business_date)', 'bucket(merchant_code, 16)']";
        return `CREATE TABLE IF NOT EXISTS iceberg.${name} (\n${trinoColumns(columns)}\n)\nWITH (location = ${location}, format = 'PARQUET'${partitioning})`;
      },
    )
    .replace(
      /^(ALTER TABLE \S+) ADD COLUMNS \((.+)\)$/,
      (_, table: string, column: string) => `${table} ADD COLUMN ${trinoColumns(column)}`,
    )
    .replace(/^(ALTER TABLE \S+ DROP COLUMN) `(\w+)`$/, '$1 "$2"')
    .replace(/^OPTIMIZE (\S+) REWRITE DATA USING BIN_PACK/, 'ALTER TABLE $1 EXECUTE optimize')
    .replace(
      /^VACUUM (\S+)$/,
      `ALTER TABLE $1 EXECUTE expire_snapshots(retention_threshold => '${SNAPSHOT_DAYS}d')`,
    )
    .replace(
      /^(ALTER TABLE \S+) SET TBLPROPERTIES \('vacuum_max_snapshot_age_seconds' = '(\d+)'\)$/,
      (_, table: string, seconds: string) => {
        // Trino's snapshots are as old as the test. What Athena's VACUUM would find old enough goes at once, in its two steps.
        const step = Number(seconds) < SNAPSHOT_DAYS * 86_400 ? 'expire_snapshots' : 'remove_orphan_files';
        return `${table} EXECUTE ${step}(retention_threshold => '0s')`;
      },
    );
}

export async function makeHistoryTables(trino: TrinoLake, bucket: string): Promise<void> {
  for (const table of HISTORY_TABLES) {
    const location = `s3://${bucket}/lake/${table.name}/`;
    await trino.run(inTrinosWords(createTable(table, { database: trino.database, location })));
  }
}

/** A lake of generated objects with its history, and what the function `lake` does, step by step. */
export class HistoryLake {
  readonly aws: AwsSandbox;
  readonly trino: TrinoLake;
  readonly put: PutObject;

  private constructor(aws: AwsSandbox, trino: TrinoLake) {
    this.aws = aws;
    this.trino = trino;
    this.put = (key, body) => aws.s3.write(BUCKET, key, body);
  }

  /** @param today what `current_date` says; @param firstDay the first day of the tables */
  static async start({ today, firstDay }: { today: string; firstDay: string }): Promise<HistoryLake> {
    const aws = await startAwsSandbox({ directory: newDirectory() });
    const s3Endpoint = defined(aws.environment['AWS_ENDPOINT_URL_S3']);
    const trino = await openLake({ s3Endpoint, bucket: BUCKET, today, firstDay });
    await makeHistoryTables(trino, BUCKET);
    return new HistoryLake(aws, trino);
  }

  async run(sql: string): Promise<void> {
    await this.trino.run(sql);
  }

  query(sql: string): Promise<TrinoRow[]> {
    return this.trino.query(sql);
  }

  async runAll(statements: readonly string[]): Promise<void> {
    for (const statement of statements) await this.run(statement);
  }

  /** Looks, as the function `lake` does. @param asked days that somebody asks for */
  async look(now: string, asked?: { from: string; to: string }): Promise<Found> {
    if (asked !== undefined) await this.run(askFor(asked, now));
    const [first] = await this.query(lookSince());
    const since = z.string().parse(first?.['since']);
    const [row] = await this.query(look({ since, now }));
    return z.record(z.enum(LOOK_COLUMNS), z.string()).parse(row);
  }

  /** Points the views at what a look found. */
  async show(found: Found): Promise<void> {
    await this.run(beginStatement(found));
    for (const view of ALL_VIEWS) await this.run(viewStatement(view, found));
    await this.run(stateStatement(found));
  }

  /** A whole run of the function `lake`. */
  async merge(now: string): Promise<void> {
    const found = await this.look(now);
    await this.show(found);
    for (const { what, ...slice } of slicesOf(found)) {
      await this.runAll(what === 'days' ? daysStatements(slice, now) : mailStatements(slice, now));
    }
    await this.show(await this.look(now));
  }

  async close(): Promise<void> {
    await this.trino.close();
    await this.aws.close();
  }
}

export function slicesOf({ slices }: Found): FoundSlice[] {
  return slicesSchema.parse(JSON.parse(slices));
}

/** No note of the merge is written, so it does not matter when it was. */
const ANY_TIME = '2026-11-22T10:00:00Z';

/** Brings days into the history, as the function `lake` does. @param statements 2: not yet their figures */
export async function mergeHistory(lake: TrinoLake, days: readonly string[], statements = 3): Promise<void> {
  for (const sql of daysStatements(sliceOf(days), ANY_TIME).slice(0, statements)) await lake.run(sql);
}
